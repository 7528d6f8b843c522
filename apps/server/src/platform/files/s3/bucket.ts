// Checks a bucket when the server starts, and explains failures to the operator.
import { randomUUID } from 'node:crypto'
import { SettingsError } from '../../settings/settings.ts'
import { FilesUnavailable } from '../driver.ts'
import { S3Fault, type Send, readShortReply } from './client.ts'
import type { S3Account } from '../../settings/settings-files.ts'

const ownFolder = 'jiaowu/'
const wrongRegion = [
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'IncorrectEndpoint',
]
const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host cannot be looked up',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ECONNRESET: 'it hangs up',
  UND_ERR_SOCKET: 'it hangs up',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

/** Lists, writes, reads and deletes once. @throws SettingsError with one sentence that names the cause */
export async function probeBucket(account: S3Account, send: Send): Promise<void> {
  const [key, text] = [`${account.prefix}${ownFolder}probe-${randomUUID()}`, randomUUID()]
  await explainFault(
    account,
    'list',
    send({
      method: 'GET',
      key: '',
      query: { 'list-type': '2', 'max-keys': '1', prefix: account.prefix },
    }).then(readShortReply),
  )
  await explainFault(
    account,
    'write',
    send({ method: 'PUT', key, body: new TextEncoder().encode(text) }).then(readShortReply),
  )
  const readBack = await explainFault(
    account,
    'read',
    send({ method: 'GET', key }).then(readShortReply),
  )
  await explainFault(account, 'delete', send({ method: 'DELETE', key }).then(readShortReply))
  if (readBack !== text)
    throw new SettingsError(`S3_ENDPOINT ${account.endpoint} does not give back what was written.`)
}

async function explainFault<T>(account: S3Account, action: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof S3Fault)
      throw new SettingsError(`${describeS3Refusal(account, action, error)}.`)
    if (error instanceof FilesUnavailable)
      throw new SettingsError(`${unreachable(account, error)}.`)
    throw error
  }
}

function describeS3Refusal(
  { endpoint, bucket, region }: S3Account,
  action: string,
  { status, code, region: right, date }: S3Fault,
): string {
  if (code === 'NoSuchBucket')
    return `S3_BUCKET ${bucket} does not exist at ${endpoint}: make it first`
  if (code === 'InvalidAccessKeyId') return `S3_ACCESS_KEY_ID is not known at ${endpoint}`
  if (code === 'SignatureDoesNotMatch')
    return `S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID at ${endpoint}`
  if (code === 'RequestTimeTooSkewed')
    return `S3_ENDPOINT ${endpoint} refuses this machine's clock${clockError(date)}: set it right`
  if (wrongRegion.includes(code) || status === 301 || status === 307)
    return (
      `S3_REGION ${region} or S3_ENDPOINT ${endpoint} is not where S3_BUCKET ${bucket} is` +
      (right === null ? '' : `, which is in ${right}`)
    )
  if (status === 403) return `S3_ACCESS_KEY_ID may not ${action} in S3_BUCKET ${bucket}`
  if (code === '') return `S3_ENDPOINT ${endpoint} does not answer as S3 does (${status})`
  return `S3_BUCKET ${bucket} cannot be used: it refuses to ${action} (${status} ${code})`
}

function clockError(serverTime: Date | null): string {
  if (serverTime === null) return ''
  const minutes = Math.round(Math.abs(Date.now() - serverTime.getTime()) / 60_000)
  return `, which is ${minutes} minutes off`
}

function unreachable({ endpoint }: S3Account, error: FilesUnavailable): string {
  if (error.cause instanceof S3Fault)
    return `S3_ENDPOINT ${endpoint} cannot be used: it answers ${error.cause.status} ${error.cause.code}`.trimEnd()
  const code = findInnermostCode(error)
  if (untrusted.includes(code))
    return (
      `S3_ENDPOINT ${endpoint} cannot be used: its certificate is not trusted ` +
      `(NODE_EXTRA_CA_CERTS names a file with its issuer)`
    )
  const reason = networkReasons[code] ?? (code === '' ? 'it does not answer in time' : code)
  return `S3_ENDPOINT ${endpoint} cannot be reached: ${reason}`
}

/** The code of the innermost cause of an error. */
function findInnermostCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const below = findInnermostCode(error.cause)
  return below === '' && 'code' in error ? String(error.code) : below
}

/** Stores the installation's id in the bucket. @throws SettingsError when another id is there */
export async function claimBucket(
  account: S3Account,
  send: Send,
  installation: string,
): Promise<void> {
  const key = `${account.prefix}${ownFolder}installation`
  const owner = () =>
    send({ method: 'GET', key })
      .then(readShortReply)
      .catch((error: unknown) => {
        if (error instanceof S3Fault && error.code === 'NoSuchKey') return null
        throw error
      })
  const before = await explainFault(account, 'read', owner())
  if (before === null)
    await explainFault(
      account,
      'write',
      send({ method: 'PUT', key, body: new TextEncoder().encode(installation) }).then(
        readShortReply,
      ),
    )
  // Read again: when two installations write at once, the last write wins.
  const now = before ?? (await explainFault(account, 'read', owner()))
  const { bucket, prefix } = account
  if (now !== installation)
    throw new SettingsError(
      `S3_BUCKET ${bucket} holds the files of another installation` +
        `${prefix === '' ? '' : ` under ${prefix}`}: give this one another bucket or S3_PREFIX, ` +
        `or delete ${key} there if its database is gone.`,
    )
}
