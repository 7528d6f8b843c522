import { X509Certificate } from 'node:crypto'
import { defaultTenant, schoolInstant, t } from '@jiaowu/api'
import type { Services } from '../context.ts'
import { signingIdentity } from '../documents/signing/identity.ts'
import { archiveAudit, type Signer, verifyArchive } from '../platform/audit/archive.ts'
import { recordChecks } from '../platform/audit/daily.ts'
import { sharedChain } from '../platform/audit/line.ts'
import { type AuditBreak, type ChainReport, verifyAudit } from '../platform/audit/verify.ts'
import { type Command, exit, print, UsageError, withServices } from './command.ts'

/** Checks the chains of all tenants, or an archive file. */
export const auditVerifyCommand: Command = {
  usage: '[--since DATE] [--file FILE]',
  help: 'check the chains of audit lines, or an archive file',
  options: { since: { type: 'string' }, file: { type: 'string' } },
  run: async ({ options: { since, file } }) => {
    if (typeof file === 'string') return await verifyFile(file)
    const from = since === undefined ? undefined : dateIn('--since', since)
    return await withServices(async (services) => {
      const reports = await verifyAudit(services, from === undefined ? {} : { since: from })
      if (from === undefined) await recordChecks(services, reports)
      return printReports(reports)
    })
  },
}

/** Moves old lines into a signed file. */
export const auditArchiveCommand: Command = {
  usage: '--before DATE -o FILE',
  help: 'move audit lines older than DATE into a signed file',
  options: { before: { type: 'string' }, output: { type: 'string', short: 'o' } },
  run: async ({ options: { before, output } }) => {
    const date = dateIn('--before', before)
    if (typeof output !== 'string' || output === '') throw new UsageError('-o FILE is missing.')
    return await withServices(async (services) => {
      if (date > services.now()) throw new UsageError('--before must not be in the future.')
      const result = await archiveAudit(services, date, output, await signerOf(services))
      if (result.kind === 'broken') {
        process.stderr.write('Nothing was archived, because a chain is broken.\n')
        return printReports(result.reports)
      }
      print(
        result.kind === 'nothing'
          ? `No line is older than ${date.toISOString()}.`
          : `${output}: ${result.lines} lines, SHA-256 ${result.sha256}`,
      )
      return exit.done
    })
  },
}

/** @throws UsageError */
function dateIn(option: string, value: unknown): Date {
  const text = typeof value === 'string' ? value : ''
  // A text without a zone is a time of the school.
  const isLocal = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d)?$/.test(text)
  const date = new Date(isLocal ? schoolInstant(text.replace('T', ' ')) : text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime()))
    throw new UsageError(`${option} must be a date such as 2026-01-31.`)
  return date
}

/** The key that also signs the documents of the first tenant. */
async function signerOf({ database: { kysely }, settings }: Services): Promise<Signer> {
  const row = await kysely
    .selectFrom('sys.param')
    .select('value')
    .where('tenant_id', '=', defaultTenant)
    .where('code', '=', 'SCHOOL_NAME')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const school = row?.value ?? defaultTenant
  const { key, certificates } = await signingIdentity(
    settings,
    defaultTenant,
    school,
    t('zh-CN', 'paper.signedBy', { school }),
  )
  return { key, certificate: certificates[0] ?? '' }
}

function printReports(reports: readonly ChainReport[]): number {
  for (const { tenant, lines, number, hash, broken } of reports) {
    const name = tenant === sharedChain ? 'shared chain' : `tenant ${tenant}`
    if (broken !== null) print(`${name}: BROKEN, ${sentenceOf(broken)}`)
    else if (number !== '0') print(`${name}: ${lines} lines intact, last ${number} ${hash}`)
  }
  return reports.every(({ broken }) => broken === null) ? exit.done : exit.findings
}

function sentenceOf({ why, number, id, at }: AuditBreak): string {
  const place = id === null ? `line ${number}` : `line ${number} (id ${id}, ${at ?? ''})`
  return {
    changed: `${place} was changed`,
    missing: `lines are missing before ${place}`,
    end: `from ${place} on, the lines do not match the last link`,
    anchor: `the anchor of the archive up to ${place} has no valid signature`,
  }[why]
}

async function verifyFile(file: string): Promise<number> {
  const { lines, before, certificate, signed, broken } = await verifyArchive(file)
  if (!signed) print(`${file}: the signature is not valid`)
  if (broken !== null) print(`${file}: BROKEN, ${sentenceOf(broken)}`)
  if (!signed || broken !== null) return exit.findings
  const { fingerprint256 } = new X509Certificate(certificate)
  print(`${file}: ${lines} lines before ${before} intact, signed by ${fingerprint256}`)
  return exit.done
}
