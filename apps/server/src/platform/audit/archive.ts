// Moves old lines of the audit log into a signed file (docs/operations.md#audit-log).
import { parseJson } from '@jiaowu/api/exact-json'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import type { PlatformServices } from '../context.ts'
import { transact } from '../database/transact.ts'
import { leastAuditDays } from '../settings/settings-audit.ts'
import { isSignedText, signText, textOfAnchor, type UnsignedAnchor } from './anchor.ts'
import type { AuditKeys } from './keys.ts'
import { type AuditRow, isKeyedRow, linkFault, sharedChain } from './line.ts'
import { markFor } from './mark.ts'
import {
  type AuditBreak,
  chainIs,
  type ChainReport,
  readChainLines,
  chooseChainOrder,
  findChainStart,
  verifyAudit,
} from './verify.ts'
import { auditIn } from './write.ts'

/** The account that archives, which the line in the chain of its school names. */
export interface Archivist {
  readonly tenant: string
  readonly userId: string | null
  readonly account: string | null
}
const unnamed: Archivist = { tenant: '', userId: null, account: null }

/** Key and certificate in PEM. */
export interface Signer {
  readonly key: string
  readonly certificate: string
}

/** The lines of one chain in a file, and the link they continue from. */
interface ChainPart {
  readonly tenant: string
  readonly from: string
  readonly to: string
  readonly previous: string
  readonly lines: number
}
interface Header {
  readonly format: typeof format
  readonly before: string
  readonly at: string
  readonly chains: readonly ChainPart[]
}
interface Footer {
  /** The hash of everything before this line. */
  readonly sha256: string
  readonly signature: string
  readonly certificate: string
}

const format = 'jiaowu-audit-archive-1'

export type Archived =
  | { readonly kind: 'archived'; readonly lines: number; readonly sha256: string }
  | { readonly kind: 'nothing' }
  /** Lines from this moment on stay (docs/rules/security.md#l1). */
  | { readonly kind: 'young'; readonly limit: Date }
  | { readonly kind: 'broken'; readonly reports: readonly ChainReport[] }

/**
 * Writes all lines older than `before` to a file, up to the first newer line of each chain, and
 * deletes them. Deletes nothing unless the chains are intact and the file is on the disk; refuses to
 * overwrite a file, and lines of the last `AUDIT_DAYS`.
 */
export async function archiveAudit(
  services: PlatformServices,
  before: Date,
  path: string,
  signer: Signer,
  by: Archivist = unnamed,
): Promise<Archived> {
  const limit = archiveLimit(services)
  if (before > limit) return { kind: 'young', limit }
  const reports = await verifyAudit(services)
  if (reports.some(({ broken }) => broken !== null)) return { kind: 'broken', reports }
  const parts = await planArchive(services, reports, before)
  if (parts.length === 0) return { kind: 'nothing' }
  const header: Header = {
    format,
    before: before.toISOString(),
    at: services.now().toISOString(),
    chains: parts,
  }
  const { sha256, last } = await writeFile(services, path, header, signer)
  await removeLines(services, header, { sha256, last, by }, signer)
  return { kind: 'archived', lines: parts.reduce((sum, { lines }) => sum + lines, 0), sha256 }
}

/** Settings that did not pass `readSettings`, as those of a test, do not go below the least days either. */
function archiveLimit({ now, settings }: Pick<PlatformServices, 'now' | 'settings'>): Date {
  return new Date(now().getTime() - Math.max(settings.auditDays, leastAuditDays) * 86_400_000)
}

async function planArchive(
  services: PlatformServices,
  reports: readonly ChainReport[],
  before: Date,
): Promise<ChainPart[]> {
  const parts: ChainPart[] = []
  for (const { tenant, number } of reports) {
    const mark = await markFor(services, services.auditKeys, tenant)
    const start = await findChainStart(services, tenant, undefined, mark?.anchored ?? '0')
    const key = chooseChainOrder(tenant)
    const { rows } = await sql<{ from: string | null; to: string | null; lines: string }>`
      select min(${key})::text as from, max(${key})::text as to, count(*) as lines from sys.audit_log
      where ${chainIs(tenant)} and ${key} <= ${number}::int8 and ${key} < coalesce((
        select min(${key}) from sys.audit_log
        where ${chainIs(tenant)} and at >= ${before.toISOString()}::timestamptz), 9223372036854775807)`.execute(
      services.database.kysely,
    )
    const [row] = rows
    if (row?.from != null && row.to !== null)
      parts.push({
        tenant,
        from: row.from,
        to: row.to,
        previous: start.hash,
        lines: Number(row.lines),
      })
  }
  return parts
}

async function writeFile(
  services: PlatformServices,
  path: string,
  header: Header,
  { key, certificate }: Signer,
): Promise<{ sha256: string; last: ReadonlyMap<string, string> }> {
  const part = `${path}.part`
  const last = new Map<string, string>()
  // Fails where the file exists, before anything is written.
  await (await open(path, 'wx', 0o600)).close()
  const file = await open(part, 'w', 0o600)
  const digest = createHash('sha256')
  try {
    const write = async (texts: readonly unknown[]) => {
      const text = texts.map((each) => `${JSON.stringify(each)}\n`).join('')
      digest.update(text)
      await file.write(text)
    }
    await write([header])
    for (const { tenant, to, from } of header.chains) {
      const after = String(BigInt(from) - 1n)
      for await (const rows of readChainLines(services, tenant, after, to)) {
        await write(rows)
        last.set(tenant, rows.at(-1)?.hash ?? '')
      }
    }
    const sha256 = digest.digest('hex')
    const footer: Footer = { sha256, signature: signText(sha256, key), certificate }
    await file.write(`${JSON.stringify(footer)}\n`)
    await file.sync()
    await file.close()
    await rename(part, path)
    return { sha256, last }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true })
    await rm(path, { force: true })
    throw error
  }
}

interface Removed {
  readonly sha256: string
  readonly last: ReadonlyMap<string, string>
  readonly by: Archivist
}

/** The trigger of sys.audit_log lets a transaction delete only what an anchor it adds stands for. */
async function removeLines(
  services: PlatformServices,
  { chains, before, at }: Header,
  { sha256, last, by }: Removed,
  { key, certificate }: Signer,
): Promise<void> {
  await transact(services.database.kysely, async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    for (const { tenant, to, lines } of chains) {
      const anchor: UnsignedAnchor = {
        tenant_id: tenant,
        number: to,
        hash: last.get(tenant) ?? '',
        lines: String(lines),
        before,
        at,
        file_sha256: sha256,
      }
      const signature = signText(textOfAnchor(anchor), key)
      await trx
        .insertInto('sys.audit_anchor')
        .values({
          ...anchor,
          id: services.newId(),
          signature,
          certificate,
          key_id: services.auditKeys.current,
          mac: services.auditKeys.mac(textOfAnchor(anchor)),
        })
        .execute()
      await sql`
        delete from sys.audit_log
        where ${chainIs(tenant)} and ${chooseChainOrder(tenant)} <= ${to}::int8`.execute(trx)
      if (tenant !== sharedChain)
        auditIn(
          services,
          trx,
          { ...(tenant === by.tenant ? by : unnamed), tenant, ip: '', traceId: '' },
          { action: 'audit.archive', result: 'ok', detail: { before, lines, sha256 } },
        )
    }
  })
}

export interface FileReport {
  readonly lines: number
  readonly before: string
  /** PEM of the key that signed. */
  readonly certificate: string
  readonly signed: boolean
  /** Lines under a key that is not here: only that they follow each other was checked. */
  readonly unchecked: number
  readonly broken: AuditBreak | null
}

/** Checks the signature and every link of an archive file. @throws when it is no archive */
export async function verifyArchive(path: string, keys: AuditKeys | null): Promise<FileReport> {
  const digest = createHash('sha256')
  let header: Header | undefined
  let footer: Footer | undefined
  let broken: AuditBreak | null = null
  let [lines, unchecked] = [0, 0]
  let previous = ''
  let isKeyed = false
  let part: ChainPart | undefined
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const value = parseJson(text) as Header | Footer | AuditRow
    if ('signature' in value) {
      footer = value
      break
    }
    digest.update(`${text}\n`)
    if ('format' in value) {
      header = value
      continue
    }
    const chain = value.number === null ? sharedChain : value.tenant_id
    if (chain !== part?.tenant) {
      part = header?.chains.find(({ tenant }) => tenant === chain)
      previous = part?.previous ?? ''
      isKeyed = false
    }
    const why = linkFault(value, { previous, isKeyed, keys })
    if (why === 'key') unchecked += 1
    else if (why !== null)
      broken ??= {
        why,
        number: value.number ?? value.seq,
        id: value.id,
        at: value.at,
      }
    previous = value.hash
    isKeyed = isKeyedRow(value)
    lines += 1
  }
  if (header?.format !== format || footer === undefined)
    throw new Error(`${path} is no archive of an audit log, or its end is missing.`)
  const sha256 = digest.digest('hex')
  return {
    lines,
    before: header.before,
    certificate: footer.certificate,
    signed: sha256 === footer.sha256 && isSignedText(sha256, footer.signature, footer.certificate),
    unchecked,
    broken,
  }
}
