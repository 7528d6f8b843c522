// Dictionaries by code. Tenant 0 holds the shared items; a tenant's own item replaces the shared
// item of the same code.
import { type DictItem, type ItemTone, itemTones } from '@jiaowu/api/entity/values'
import type { Locale } from '@jiaowu/api/locale'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'

type DictionaryContext = Pick<Context, 'database' | 'subject' | 'locale'>
const baseTenant = '0'

/** The active items of several dictionaries, each in its sort order; none for an unknown code. */
export async function loadDictionaries(
  context: DictionaryContext,
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly DictItem[]>> {
  if (codes.length === 0) return new Map()
  const rows = await selectDictionaryRows(context, codes).execute()
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
        name: chooseItemName(context.locale, row),
        pid: row.pid,
        ...(isTone(row.tone) && { tone: row.tone }),
      })),
    ]),
  )
}

function selectDictionaryRows({ database, subject }: DictionaryContext, codes: readonly string[]) {
  return database.kysely
    .selectFrom('sys.dict_item')
    .select(['dict_code', 'item_code', 'name', 'name_en', 'pid', 'tenant_id', 'status', 'tone'])
    .where('dict_code', 'in', [...codes])
    .where('tenant_id', 'in', [baseTenant, subject.tenant])
    .where('deleted_at', 'is', null)
    .orderBy('dict_code')
    .orderBy('sort')
    .orderBy('id')
}

function isTone(tone: string | null): tone is ItemTone {
  return itemTones.some((each) => each === tone)
}

function chooseItemName(
  locale: Locale,
  { name, name_en }: { name: string; name_en: string | null },
): string {
  return locale === 'en' && name_en !== null && name_en !== '' ? name_en : name
}

export async function dictionaryItems(
  context: DictionaryContext,
  code: string,
): Promise<readonly DictItem[]> {
  return (await loadDictionaries(context, [code])).get(code) ?? []
}

/** Names of items by id, inactive ones included: rows may still contain them. */
export async function dictionaryNames(
  context: DictionaryContext,
  code: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectDictionaryRows(context, [code])
    .where('item_code', 'in', [...ids])
    .execute()
  return new Map(
    rows
      .toSorted((a, b) => Number(a.tenant_id !== baseTenant) - Number(b.tenant_id !== baseTenant))
      .map((row) => [row.item_code, chooseItemName(context.locale, row)]),
  )
}

/** The name of an item as SQL, inactive ones included; the code itself where it has none. */
export function itemName(
  { subject, locale }: Pick<DictionaryContext, 'subject' | 'locale'>,
  dictionary: string,
  code: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = locale === 'en' ? sql`coalesce(nullif(d.name_en, ''), d.name)` : sql`d.name`
  return sql`coalesce((
    select ${name} from sys.dict_item d
    where d.tenant_id in (${baseTenant}::int8, ${subject.tenant}::int8)
      and d.dict_code = ${dictionary}::text and d.item_code = ${code} and d.deleted_at is null
    order by d.tenant_id = ${baseTenant}::int8 limit 1), ${code})`
}

/**
 * The place of an item in its dictionary as SQL, inactive ones included; null for a code that it has not.
 * Begins with byte 1, so that what follows the items can begin with 2.
 */
export function itemOrder(
  { subject }: Pick<DictionaryContext, 'subject'>,
  dictionary: string,
  code: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select '\\x01'::bytea || int8send(d.sort::int8 + 4611686018427387904) || int8send(d.id)
    from sys.dict_item d
    where d.tenant_id in (${baseTenant}::int8, ${subject.tenant}::int8)
      and d.dict_code = ${dictionary}::text and d.item_code = ${code} and d.deleted_at is null
    order by d.tenant_id = ${baseTenant}::int8 limit 1)`
}
