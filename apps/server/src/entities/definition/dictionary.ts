// Dictionaries by code. Tenant 0 holds the shared items; a tenant's own item replaces the shared
// item of the same code.
import type { DictItem, Locale } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { EntityAccess } from '../../access/access.ts'
import type { AnyDatabase } from '../read/rows.ts'

type DictionaryContext = Pick<Context, 'database' | 'subject' | 'locale'>
const baseTenant = '0'

/** The active items of several dictionaries, each in its sort order; none for an unknown code. */
export async function dictionariesOf(
  context: DictionaryContext,
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly DictItem[]>> {
  if (codes.length === 0) return new Map()
  const rows = await rowsOf(context, codes).execute()
  const own = new Set(
    rows
      .filter(({ tenant_id }) => tenant_id !== baseTenant)
      .map(({ dict_code, item_code }) => `${dict_code}\u0000${item_code}`),
  )
  const effective = rows.filter(
    ({ tenant_id, dict_code, item_code }) =>
      tenant_id !== baseTenant || !own.has(`${dict_code}\u0000${item_code}`),
  )
  const byCode = Map.groupBy(
    effective.filter(({ status }) => status === '1'),
    ({ dict_code }) => dict_code,
  )
  return new Map(
    codes.map((code) => [
      code,
      (byCode.get(code) ?? []).map((row) => ({
        id: row.item_code,
        name: nameIn(context.locale, row),
        pid: row.pid,
      })),
    ]),
  )
}

function rowsOf({ database, subject }: DictionaryContext, codes: readonly string[]) {
  return database.kysely
    .selectFrom('sys.dict_item')
    .select(['dict_code', 'item_code', 'name', 'name_en', 'pid', 'tenant_id', 'status'])
    .where('dict_code', 'in', [...codes])
    .where('tenant_id', 'in', [baseTenant, subject.tenant])
    .where('deleted_at', 'is', null)
    .orderBy('dict_code')
    .orderBy('sort')
    .orderBy('id')
}

function nameIn(
  locale: Locale,
  { name, name_en }: { name: string; name_en: string | null },
): string {
  return locale === 'en' && name_en !== null && name_en !== '' ? name_en : name
}

export async function dictionaryItems(
  context: DictionaryContext,
  code: string,
): Promise<readonly DictItem[]> {
  return (await dictionariesOf(context, [code])).get(code) ?? []
}

/** Names of items by id, inactive ones included: rows may still contain them. */
export async function dictionaryNames(
  context: DictionaryContext,
  code: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(context, [code])
    .where('item_code', 'in', [...ids])
    .execute()
  return new Map(
    rows
      .toSorted((a, b) => Number(a.tenant_id !== baseTenant) - Number(b.tenant_id !== baseTenant))
      .map((row) => [row.item_code, nameIn(context.locale, row)]),
  )
}

/** Only an empty dictionary may be deleted. @throws Refusal 409 with the number of items */
export async function assertNoItems(
  db: AnyDatabase,
  { entity: { table }, tenant }: EntityAccess,
  ids: readonly string[],
): Promise<void> {
  if (`${table.schema}.${table.name}` !== 'sys.dict') return
  const { rows } = await sql<{ n: number }>`
    select count(*)::int4 as n from sys.dict_item i
    join sys.dict d on d.code = i.dict_code and d.tenant_id = i.tenant_id
    where d.tenant_id = ${tenant}::int8 and d.id::text = any(${ids}::text[])
      and i.deleted_at is null`.execute(db)
  const [found] = rows
  if (found !== undefined && found.n > 0)
    throw new Refusal(409, { key: 'dictPage.hasItems', params: { n: found.n } })
}
