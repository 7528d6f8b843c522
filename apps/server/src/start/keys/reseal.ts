// Seals anew what lies under an earlier key, in every column of the list. What is not sealed at all stays: convert.ts
// knows which of it is personal data.
import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { KeyError, type Keys } from '../../platform/keys/keys.ts'
import { sealContexts, sealedPlaces } from '../../platform/keys/sealed-places.ts'

type Resealing = Pick<Services, 'database' | 'log'>
type Place = (typeof sealedPlaces)[number]

const batch = 500
const sealedText = /enc1:[\w-]+:[\w-]+/g

/** The number of rows that were sealed anew. */
export async function resealAll(services: Resealing, keys: Keys): Promise<number> {
  let count = 0
  for (const place of sealedPlaces)
    for (const tenant of await schoolsIn(services, place.table)) {
      const changed = await resealColumn(services, keys, place, tenant)
      if (changed > 0)
        services.log.info({ table: place.table, column: place.column, changed }, 'sealed anew')
      count += changed
    }
  return count
}

/** Every school with rows in the table, also one that is gone: no row may be left behind. */
export async function schoolsIn(
  { database: { kysely } }: Resealing,
  table: string,
): Promise<string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select distinct tenant_id::text as tenant from ${sql.table(table)}`.execute(kysely)
  return rows.map(({ tenant }) => tenant)
}

/** Rows by place that hold texts under a key other than the one that writes. */
export async function findUnderOtherKeys(
  services: Resealing,
  { current }: Pick<Keys, 'current'>,
): Promise<readonly { readonly place: string; readonly rows: number }[]> {
  const found: { place: string; rows: number }[] = []
  for (const place of sealedPlaces) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int4 as n, 'doctor' as by from ${sql.table(place.table)}
      where ${isUnderOther(place, current)}`.execute(databaseOf(services))
    const n = rows[0]?.n ?? 0
    if (n > 0) found.push({ place: `${place.table}.${place.column}`, rows: n })
  }
  return found
}

function isUnderOther({ column }: Place, current: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)}::text ~ ${`enc1:(?!${current}:)`}`
}

async function resealColumn(
  { database }: Resealing,
  keys: Keys,
  place: Place,
  tenant: string,
): Promise<number> {
  const [table, column] = [sql.table(place.table), sql.ref(place.column)]
  const key = sql`concat_ws(':', ${sql.join(place.keys.map((name) => sql.ref(name)))})`
  let count = 0
  for (;;) {
    const changed = await transact(database.kysely, async (trx) => {
      const { rows } = await sql<{ key: string; value: string }>`
        select ${key} as key, ${column}::text as value from ${table}
        where tenant_id = ${tenant}::int8 and ${isUnderOther(place, keys.current)}
        limit ${batch} for update`.execute(trx)
      if (rows.length === 0) return 0
      const type = sql.raw(place.isJson === true ? 'jsonb' : 'text')
      await sql`
        update ${table} set ${column} = u.value::${type}
        from unnest(${rows.map((row) => row.key)}::text[],
          ${rows.map(({ value }) => resealText(keys, value))}::text[]) as u(key, value)
        where tenant_id = ${tenant}::int8 and ${key} = u.key`.execute(trx)
      return rows.length
    })
    count += changed
    if (changed < batch) return count
  }
}

function resealText(keys: Keys, text: string): string {
  return text.replace(sealedText, (sealed) => {
    for (const context of sealContexts) {
      const opened = openFor(keys, context, sealed)
      if (opened !== undefined) return keys.seal(context, opened)
    }
    throw new KeyError(
      'A sealed value opens with none of the keys: put the key it was sealed with behind the others.',
    )
  })
}

/** Undefined for a text that was sealed for something else, or with a key that is not here. */
function openFor(
  keys: Keys,
  context: (typeof sealContexts)[number],
  sealed: string,
): string | undefined {
  try {
    return keys.open(context, sealed)
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}
