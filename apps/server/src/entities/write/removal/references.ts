// Which records refer to rows, so that none of those is taken away.
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { cutText } from '@jiaowu/api/cut-text'
import type { QueryOperator } from '@jiaowu/api/entity/enums'
import { type RawBuilder, sql } from 'kysely'
import { baseRows, type EntityAccess } from '../../../access/access.ts'
import { labelRef, lookupAccess } from '../../../access/lookup-access.ts'
import type { Context } from '../../../model/context.ts'
import {
  entityName,
  type LoadedEntity,
  type LoadedField,
  systemColumns,
  valueFields,
} from '../../../model/definition/loaded.ts'
import { allOf, columnRef, type Condition, formatTyped } from '../../../model/definition/names.ts'
import { relationTag, shownName, titleNaming } from '../../../model/definition/relation.ts'
import { chooseCast, type Column, columnViolation, familyOf } from '../../../model/fields/column.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { compileFilter } from '../../read/filter/filter.ts'
import { withIds } from '../../read/row.ts'

export interface Reference {
  readonly entity: LoadedEntity
  readonly field: LoadedField
  /** Rows that name this entity refer to it, by a field with others. */
  readonly named?: Condition
}

/**
 * Every field, of any entity, whose choices are rows of this one, including its own parent field.
 */
export async function referencesTo(
  { registry }: Pick<Context, 'registry'>,
  tenant: string,
  { tag }: LoadedEntity,
): Promise<Reference[]> {
  return (await registry.all(tenant)).flatMap((entity) =>
    valueFields(entity)
      .filter(
        (field) =>
          countsAsReference(entity, field) &&
          (relationTag(field.definition) === tag ||
            field.namedBy !== undefined ||
            (entity.tag === tag && field.definition.attrName === entity.definition.parentField)),
      )
      .map((field) => ({ entity, field, ...namesEntity(entity, field, tag) })),
  )
}

function namesEntity(
  entity: LoadedEntity,
  { namedBy }: LoadedField,
  tag: string,
): Pick<Reference, 'named'> {
  const column = namedBy === undefined ? undefined : entity.column(namedBy.attrName)
  return column === undefined
    ? {}
    : { named: sql`${columnRef(column.name)}::text = ${formatTyped(tag, 'text')}` }
}

/** Columns such as create_user do not count: they must not prevent deleting an account. */
function countsAsReference(entity: LoadedEntity, { column, definition }: LoadedField): boolean {
  if (column === null) return false
  // The id of a row is not what such a field stores; a foreign key of the table holds it.
  if (definition.options.valueAttr !== undefined) return false
  return (
    column.name === 'org_id' ||
    !systemColumns.some((name) => name === column.name && entity.has(name))
  )
}

/** `rowsOf`: which referring rows count; by default those not in the recycle bin. */
export async function isReferenced(
  db: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  ids: readonly string[],
  rowsOf = baseRows,
): Promise<boolean> {
  return (await findHolder(db, access, references, ids, rowsOf)) !== null
}

/** Rows of another entity, or others of this one, that refer to these. */
interface Holder {
  readonly reference: Reference
  readonly where: Condition
}

export async function findHolder(
  db: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  ids: readonly string[],
  rowsOf = baseRows,
): Promise<Holder | null> {
  for (const reference of references) {
    const { entity } = reference
    const points = pointsAt(reference, ids)
    if (points === null) continue
    const others = entity.table === access.entity.table ? [sql`not (${withIds(access, ids)})`] : []
    const named = reference.named === undefined ? [] : [reference.named]
    const where = allOf([rowsOf(entity, access.tenant), points, ...named, ...others])
    const { rows } = await sql`
      select 1 from ${fromTable(entity)} where ${where} limit 1`.execute(db)
    if (rows.length > 0) return { reference, where }
  }
  return null
}

/** Says which entity holds the rows, how many of its records do, and the first of them. */
export async function heldBy(
  db: AnyDatabase,
  context: Context,
  { reference: { entity }, where }: Holder,
): Promise<Refusal> {
  const access = lookupAccess(context, entity)
  // A caller who may not view the entity learns neither its number of records nor their names.
  if (!access.mayView) return inUse()
  const naming = await titleNaming(context, entity)
  const { rows } = await sql<{ n: string; names: string[] | null }>`
    select count(*) as n, (array_agg(${labelRef(context, access, naming, 'parts')}::text))[1:3] as names
    from ${fromTable(entity)} where ${allOf([access.rows, where])}`.execute(db)
  const { n = '0', names = null } = rows[0] ?? {}
  const shown = (names ?? [])
    .map((name) => (name === null ? '' : shownName(naming, name)))
    .filter((name) => name !== '')
  return new Refusal(409, {
    key: 'problem.inUseBy',
    params: {
      entity: entityName(entity, context.locale),
      n: Number(n),
      names: shown.map((name) => cutText(name, 40)).join('、') || '…',
    },
  })
}

function pointsAt({ field }: Reference, ids: readonly string[]): RawBuilder<unknown> | null {
  const { column } = field
  if (column === null) return null
  const element = { ...column, length: null, type: column.type.replace(/^_/, '') }
  const values = ids.filter((id) => columnViolation(id, element) === null)
  const operator: QueryOperator = 'in'
  return values.length === 0
    ? null
    : compileFilter({ field, column, ref: columnRef(column.name) }, operator, {
        kind: 'list',
        values,
      })
}

export const inUse = (): Refusal => new Refusal(409, { key: 'problem.inUse' })
export const stillUsed = (): Refusal => new Refusal(409, { key: 'recycle.stillUsed' })

/**
 * The rows that other records refer to. References from rows that are deleted too do not count,
 * unless such a row must stay. `spared`: condition of rows of the same table that are deleted as
 * well.
 */
export async function heldRows(
  db: AnyDatabase,
  access: EntityAccess,
  references: readonly Reference[],
  ids: readonly string[],
  spared: Condition,
): Promise<ReadonlySet<string>> {
  const held = new Set<string>()
  for (let left = ids; left.length > 0;) {
    const found = new Set<string>()
    for (const reference of references)
      for (const id of await pointedAt(db, access, reference, left, spared)) found.add(id)
    if (found.size === 0) return held
    for (const id of found) held.add(id)
    left = left.filter((id) => !found.has(id))
  }
  return held
}

async function pointedAt(
  db: AnyDatabase,
  access: EntityAccess,
  reference: Reference,
  ids: readonly string[],
  spared: Condition,
): Promise<readonly string[]> {
  const {
    entity,
    field: { column },
  } = reference
  const cast = column === null ? null : plainFamily(column)
  if (column === null) return []
  const isOwn = entity.table === access.entity.table
  if (cast !== null) {
    const known = ids.filter((id) => columnViolation(id, { ...column, length: null }) === null)
    if (known.length === 0) return []
    const others: RawBuilder<unknown>[] = isOwn
      ? [sql`not (${withIds(access, ids)})`, sql`not (${spared})`]
      : []
    const { rows } = await sql<{ id: string }>`
      select distinct ${columnRef(column.name)}::text as id from ${fromTable(entity)}
        where ${allOf([baseRows(entity, access.tenant), sql`${columnRef(column.name)} = any(${formatTyped(known, `${cast}[]`)})`, ...others])}`.execute(
      db,
    )
    return rows.map(({ id }) => id)
  }
  if (!(await isReferenced(db, access, [reference], ids))) return []
  if (ids.length === 1) return ids
  const middle = ids.length >> 1
  return [
    ...(await pointedAt(db, access, reference, ids.slice(0, middle), spared)),
    ...(await pointedAt(db, access, reference, ids.slice(middle), spared)),
  ]
}

/**
 * The array type for a column with a single plain value, whose references one query finds. Null for
 * columns with several values, which are queried by halving.
 */
function plainFamily(column: Column): string | null {
  const family = familyOf(column)
  return family === undefined || ['texts', 'integers', 'json'].includes(family)
    ? null
    : chooseCast(column)
}
