import { X509Certificate } from 'node:crypto'
import { defaultTenant } from '@jiaowu/api/limits'
import { schoolInstant } from '@jiaowu/api/formats'
import { t } from '@jiaowu/api/texts/index'
import type { Services } from '../../model/context.ts'
import { signingIdentity } from '../../documents/signing/identity.ts'
import { archivist } from '../../identity/archivist.ts'
import { archiveAudit, type Signer, verifyArchive } from '../../platform/audit/archive.ts'
import { readAuditKeys } from '../../platform/audit/open-keys.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { recordChecks } from '../../platform/audit/daily.ts'
import { sharedChain } from '../../platform/audit/line.ts'
import { type AuditBreak, type ChainReport, verifyAudit } from '../../platform/audit/verify.ts'
import { readSchoolSettings } from '../../platform/settings/school-settings.ts'
import { type Command, exit, print, UsageError, withAuditLog } from './command.ts'

/** Checks the chains of all tenants, or an archive file. */
export const auditVerifyCommand: Command = {
  usage: '[--since DATE] [--file FILE]',
  help: 'check the chains of audit lines, or an archive file',
  options: { since: { type: 'string' }, file: { type: 'string' } },
  run: async ({ options: { since, file } }) => {
    if (typeof file === 'string') return await verifyFile(file)
    const from = since === undefined ? undefined : dateIn('--since', since)
    return await withAuditLog(async (services) => {
      const reports = await verifyAudit(services, from === undefined ? {} : { since: from })
      if (from === undefined) await recordChecks(services, reports)
      return printReports(reports)
    })
  },
}

/** Moves old lines into a signed file. */
export const auditArchiveCommand: Command = {
  usage: '--before DATE -o FILE [--by ACCOUNT]',
  help: 'move audit lines older than DATE, which lies AUDIT_DAYS back or more, into a signed file',
  options: {
    before: { type: 'string' },
    output: { type: 'string', short: 'o' },
    by: { type: 'string' },
  },
  run: async ({ options: { before, output, by } }) => {
    const date = dateIn('--before', before)
    if (typeof output !== 'string' || output === '') throw new UsageError('-o FILE is missing.')
    return await withAuditLog(async (services) => {
      const actor = await archivist(services, by, process.env['JIAOWU_PASSWORD'])
      const signer = await loadSigner(services)
      const result = await archiveAudit(services, date, output, signer, actor)
      if (result.kind === 'young')
        throw new UsageError(
          `Lines of the last ${services.settings.auditDays} days (AUDIT_DAYS) stay in the ` +
            `database: --before must not be later than ${result.limit.toISOString()}.`,
        )
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
async function loadSigner({ database: { kysely }, settings }: Services): Promise<Signer> {
  const { SCHOOL_NAME } = await readSchoolSettings(kysely, defaultTenant, ['SCHOOL_NAME'])
  const school = SCHOOL_NAME || defaultTenant
  const { key, certificates } = await signingIdentity(
    settings,
    defaultTenant,
    school,
    t('zh-CN', 'paper.signedBy', { school }),
  )
  return { key, certificate: certificates[0] ?? '' }
}

export function printReports(reports: readonly ChainReport[]): number {
  for (const { tenant, lines, keyed, number, hash, broken } of reports) {
    const name = tenant === sharedChain ? 'shared chain' : `tenant ${tenant}`
    if (broken !== null) print(`${name}: BROKEN, ${formatBreak(broken)}`)
    else if (number !== '0')
      print(`${name}: ${lines} lines intact, ${keyed} of them under a key, last ${number} ${hash}`)
  }
  return reports.every(({ broken }) => broken === null) ? exit.done : exit.findings
}

function formatBreak({ why, number, id, at }: AuditBreak): string {
  const place = id === null ? `line ${number}` : `line ${number} (id ${id}, ${at ?? ''})`
  return {
    changed: `${place} was changed`,
    missing: `lines are missing before ${place}`,
    end: `from ${place} on, the lines do not match the last link`,
    anchor: `the anchor of the archive up to ${place} has no valid signature`,
    unkeyed: `${place} has no key, and lines before it have one`,
    key: `${place} is under a key that is not here`,
    mark: `the mark of where the key began was changed`,
  }[why]
}

async function verifyFile(file: string): Promise<number> {
  const keys = await readAuditKeys(readSettings(process.env))
  const { lines, before, certificate, signed, unchecked, broken } = await verifyArchive(file, keys)
  if (!signed) print(`${file}: the signature is not valid`)
  if (broken !== null) print(`${file}: BROKEN, ${formatBreak(broken)}`)
  if (!signed || broken !== null) return exit.findings
  const { fingerprint256 } = new X509Certificate(certificate)
  print(`${file}: ${lines} lines before ${before} intact, signed by ${fingerprint256}`)
  if (unchecked > 0)
    print(`${file}: the keys of ${unchecked} lines are not here; their order and the signature fit`)
  return exit.done
}
