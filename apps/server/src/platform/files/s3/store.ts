// Stores files in a bucket, shared by any number of instances.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type FileArea,
  FileMissing,
  type FileRef,
  type FileStore,
  FilesUnavailable,
  type ListedFile,
  type LocalFile,
} from '../driver.ts'
import { areaFolder, refAt, storagePath } from '../storage-path.ts'
import { claimBucket, probeBucket } from './bucket.ts'
import {
  s3Client,
  S3Fault,
  type S3Reply,
  type S3Request,
  type S3Timeouts,
  type Send,
  standardTimeouts,
  readShortReply,
} from './client.ts'
import type { S3Account } from '../../settings/settings-files.ts'
import { parseListing } from './xml.ts'

const digestHeader = 'x-amz-meta-sha256'
/** Longer than any import reads its local copy. */
const localCopyRetentionMs = 86_400_000
const healthCacheMs = 10_000
const pageSize = 1_000

const hashContent = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A bucket with what its operations need. */
interface Bucket {
  readonly account: S3Account
  readonly send: Send
}

export function s3Store(
  account: S3Account,
  dataDir: string,
  timeouts: S3Timeouts = standardTimeouts,
): FileStore {
  const bucket: Bucket = { account, send: s3Client(account, timeouts) }
  const copies = join(dataDir, 'lent')
  return {
    write: async (file, bytes) => {
      const headers = {
        'content-type': 'application/octet-stream',
        [digestHeader]: hashContent(bytes),
      }
      const reply = await sendFor(bucket, file, { method: 'PUT', body: bytes, headers })
      await readShortReply(reply).catch(throwUnavailable)
    },
    read: (file) => readObject(bucket, file),
    localFile: async (file) => copyLocally(copies, await readObject(bucket, file)),
    sha256: (file) => readObjectDigest(bucket, file),
    remove: (file) => removeObject(bucket, file),
    list: (area) => listObjects(bucket, area),
    sweep: (now) => sweepCopies(copies, now),
    healthy: cacheCheck(() => isHealthy(bucket)),
    probe: () => probeBucket(account, bucket.send),
    claim: (installation) => claimBucket(account, bucket.send, installation),
  }
}

function buildObjectKey({ account }: Bucket, file: FileRef): string {
  return account.prefix + storagePath(file)
}

function sendFor(bucket: Bucket, file: FileRef, request: Omit<S3Request, 'key'>): Promise<S3Reply> {
  return bucket.send({ ...request, key: buildObjectKey(bucket, file) }).catch(throwUnavailable)
}

async function readObject(bucket: Bucket, file: FileRef): Promise<ReadableStream<Uint8Array>> {
  const { body } = await bucket
    .send({ method: 'GET', key: buildObjectKey(bucket, file) })
    .catch((error: unknown) => {
      throw isMissing(error)
        ? new FileMissing('no such file', { cause: error })
        : asUnavailable(error)
    })
  return body
}

/** The digest stored with the file, or computed from its bytes when the service has lost it. */
async function readObjectDigest(bucket: Bucket, file: FileRef): Promise<string | null> {
  const head = await bucket
    .send({ method: 'HEAD', key: buildObjectKey(bucket, file) })
    .catch((error: unknown) => {
      if (error instanceof S3Fault && error.status === 404) return null
      throw asUnavailable(error)
    })
  if (head === null) return null
  const stored = head.headers.get(digestHeader)
  if (stored !== null) return stored
  const hash = createHash('sha256')
  await pipeline(Readable.fromWeb((await readObject(bucket, file)) as never), hash)
  return hash.digest('hex')
}

async function removeObject(bucket: Bucket, file: FileRef): Promise<void> {
  await bucket
    .send({ method: 'DELETE', key: buildObjectKey(bucket, file) })
    .then(readShortReply)
    .catch((error: unknown) => {
      if (!isMissing(error)) throw asUnavailable(error)
    })
}

async function* listObjects({ account, send }: Bucket, area: FileArea): AsyncGenerator<ListedFile> {
  let next: string | null = null
  do {
    const query: Record<string, string> = {
      'list-type': '2',
      'max-keys': String(pageSize),
      prefix: `${account.prefix}${areaFolder[area]}/`,
      ...(next === null ? {} : { 'continuation-token': next }),
    }
    const page = parseListing(
      await send({ method: 'GET', key: '', query }).then(readShortReply).catch(throwUnavailable),
    )
    for (const { key, modified } of page.objects) {
      const file = refAt(area, key.slice(account.prefix.length))
      if (file !== undefined) yield { ...file, modified }
    }
    next = page.next
  } while (next !== null)
}

function isHealthy({ account, send }: Bucket): Promise<boolean> {
  const query = { 'list-type': '2', 'max-keys': '1', prefix: account.prefix }
  return send({ method: 'GET', key: '', query, tries: 1, within: 2_000 })
    .then(readShortReply)
    .then(
      () => true,
      () => false,
    )
}

function isMissing(error: unknown): boolean {
  return error instanceof S3Fault && error.status === 404 && error.code === 'NoSuchKey'
}

function throwUnavailable(error: unknown): never {
  throw asUnavailable(error)
}

/** A refusal that concerns the bucket or the key, not the file, becomes FilesUnavailable. */
function asUnavailable(error: unknown): unknown {
  return error instanceof S3Fault ? new FilesUnavailable(error.message, { cause: error }) : error
}

/** Copies a file to the local disk, the only place the S3 driver writes to. */
async function copyLocally(folder: string, bytes: ReadableStream<Uint8Array>): Promise<LocalFile> {
  const path = join(folder, randomUUID())
  const release = () => rm(path, { force: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await pipeline(
      Readable.fromWeb(bytes as never),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
  } catch (error) {
    await bytes.cancel().catch(() => {})
    await release()
    throw error
  }
  return { path, release }
}

/** Removes old local copies that were never released. */
async function sweepCopies(folder: string, now: Date): Promise<number> {
  let swept = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found === null || now.getTime() - found.mtimeMs < localCopyRetentionMs) continue
    await rm(join(folder, name), { force: true })
    swept += 1
  }
  return swept
}

/** Calls `check` at most once in ten seconds and shares its result. */
function cacheCheck(check: () => Promise<boolean>): () => Promise<boolean> {
  let last: { readonly at: number; readonly result: Promise<boolean> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at >= healthCacheMs)
      last = { at: performance.now(), result: check() }
    return last.result
  }
}
