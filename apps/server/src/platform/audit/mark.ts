import type { PlatformServices } from '../context.ts'
import type { AuditKeys } from './keys.ts'

/** Where a chain ended before there was a key: no later line, and no later anchor, is without one. */
export interface Mark {
  readonly tenant_id: string
  readonly number: string
  readonly hash: string
  /** The last line of the newest archive then; 0 without one. */
  readonly anchored: string
  readonly key_id: string
  readonly mac: string
}

export function textOfMark({
  tenant_id,
  number,
  hash,
  anchored,
}: Omit<Mark, 'key_id' | 'mac'>): string {
  return JSON.stringify(['jiaowu audit mark', tenant_id, number, hash, anchored])
}

/** Without a mark every line of the chain is keyed. */
const noMark = { number: '0', hash: '', anchored: '0' }

/** Null when somebody has changed the mark. */
export async function markFor(
  { database: { kysely } }: Pick<PlatformServices, 'database'>,
  keys: AuditKeys,
  tenant: string,
): Promise<Pick<Mark, 'number' | 'hash' | 'anchored'> | null> {
  const mark = await kysely
    .selectFrom('sys.audit_mark')
    .select(['tenant_id', 'number', 'hash', 'anchored', 'key_id', 'mac'])
    .where('tenant_id', '=', tenant)
    .executeTakeFirst()
  if (mark === undefined) return noMark
  return keys.isMac(textOfMark(mark), mark.mac, mark.key_id) ? mark : null
}
