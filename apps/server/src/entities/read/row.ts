// Reads one row: for GET, and toLockedRow for a save.
import type { Row } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { callerStamp, tokenSlot } from '../../identity/callers.ts'
import {
  Slot,
  type StatementTemplate,
  createStatementTemplate,
} from '../../platform/database/statements/statement-template.ts'
import { notFound } from '../../platform/refusal.ts'
import { type EntityAccess, isAllowed, tenantRows } from '../../access/access.ts'
import { labelRows } from './labels.ts'
import {
  type LoadedEntity,
  type LoadedField,
  readableFields,
} from '../../model/definition/loaded.ts'
import { allOf, type Condition } from '../../model/definition/names.ts'
import { fitsOnlyKey, hasId, hasIdIn, idRef } from '../../model/definition/row-key.ts'
import type { QueryPlan } from './query.ts'
import { withTitles } from './titles.ts'
import { grantsOn, type RawRow, readRow, rowReader, selectList, type ValueForm } from './rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'

/** Matches rows of the school with these ids; ignores ids the column cannot hold. */
export function withIds({ entity, tenant }: EntityAccess, ids: readonly string[]): Condition {
  return allOf([tenantRows(entity, tenant), hasId(entity, ids)])
}

/** Narrows a plan to the rows in `ids`, without those in `except`. */
export function chosenRows(
  plan: QueryPlan,
  {
    ids,
    except = [],
  }: {
    readonly ids?: readonly string[] | undefined
    readonly except?: readonly string[] | undefined
  },
): QueryPlan {
  return {
    ...plan,
    where: allOf([
      plan.where,
      ...(ids === undefined ? [] : [withIds(plan.access, ids)]),
      ...(except.length === 0 ? [] : [sql`not (${withIds(plan.access, except)})`]),
    ]),
  }
}

/**
 * The fields of GET row: isDetail, isEdit above 0 or isList, without passwords
 * (docs/rules/security.md#permissions).
 */
export function detailFields(access: EntityAccess): LoadedField[] {
  return readableFields(access.entity).filter((field) => isAllowed(access, field, 'detail'))
}

/** The row, or undefined when it is not among the caller's rows. */
export async function selectRow(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[],
  id: string,
  form: ValueForm = 'masked',
): Promise<Row | undefined> {
  const raw = await selectRawRow(db, access, fields, id, sql``)
  return raw === undefined ? undefined : readRow(access, fields, raw, 'detail', form)
}

async function selectRawRow(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[],
  id: string,
  lock: RawBuilder<unknown>,
): Promise<RawRow | undefined> {
  const { rows } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(access.entity)}
    where ${access.rows} and ${withIds(access, [id])} ${lock}`.execute(db)
  return rows[0]
}

/** A toLockedRow row with the access narrowed to the grants that hold for it. */
export interface LockedRow {
  readonly row: Row
  readonly access: EntityAccess
}

/** Locks the row until the transaction ends. The values are the stored ones, not masked. */
export async function lockRow(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[],
  id: string,
): Promise<LockedRow | undefined> {
  const raw = await selectRawRow(db, access, fields, id, sql`for update`)
  return raw === undefined ? undefined : toLockedRow(access, fields, raw)
}

/** Locks rows as `lockRow` does, in the order of their keys, so that two calls can't wait for each other. */
export async function lockRows(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedRow>> {
  const { rows } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(access.entity)}
    where ${access.rows} and ${withIds(access, ids)}
    order by ${idRef(access.entity)} for update`.execute(db)
  return new Map(rows.map((raw) => [String(raw.id), toLockedRow(access, fields, raw)]))
}

function toLockedRow(access: EntityAccess, fields: readonly LoadedField[], raw: RawRow): LockedRow {
  return {
    row: readRow(access, fields, raw, 'any', 'stored'),
    access: { ...access, grants: grantsOn(access, raw) },
  }
}

/** @throws Refusal 404 for a row that is missing or not among the caller's */
export async function loadRow(context: Context, access: EntityAccess, id: string): Promise<Row> {
  const { proof } = context
  const prepared = proof === undefined ? null : preparedRead(context, access)
  if (proof === undefined || prepared === null || !fitsOnlyKey(access.entity, id)) {
    const fields = detailFields(access)
    const row = await selectRow(databaseOf(context), access, fields, id)
    if (row === undefined) throw notFound()
    await proof?.confirm()
    return await labelRow(context, access.entity, fields, row)
  }
  const values = new Map<Slot, unknown>([
    [idSlot, id],
    [tokenSlot, proof.hash],
  ])
  const { rows } = await databaseOf(context).executeQuery(prepared.statement(values))
  const [raw] = rows
  if (raw === undefined) throw notFound()
  proof.check(raw.caller)
  return await labelRow(context, access.entity, prepared.fields, prepared.read(raw))
}

const idSlot = new Slot('id')

/** Statements for reading a row that all callers with the same access share. */
interface PreparedRead {
  readonly fields: readonly LoadedField[]
  readonly statement: StatementTemplate<RawRow>
  readonly read: (raw: RawRow) => Row
}
const preparedReads = new WeakMap<EntityAccess, PreparedRead | null>()

/** Null for keys of several columns. */
function preparedRead(context: Context, access: EntityAccess): PreparedRead | null {
  const known = preparedReads.get(access)
  if (known !== undefined) return known
  const { entity, tenant } = access
  const fields = detailFields(access)
  const isRow = hasIdIn(entity, idSlot)
  const prepared =
    isRow === null
      ? null
      : {
          fields,
          statement: createStatementTemplate(
            databaseOf(context),
            sql<RawRow>`
              select ${selectList(access, fields)}, ${callerStamp(tenant, tokenSlot)} as caller
              from ${fromTable(entity)}
              where ${access.rows} and ${isRow}`,
          ),
          read: rowReader(access, fields, 'detail'),
        }
  preparedReads.set(access, prepared)
  return prepared
}

/** The row with the names of its choices and its title. */
export async function labelRow(
  context: Context,
  entity: LoadedEntity,
  fields: readonly LoadedField[],
  row: Row,
): Promise<Row> {
  const labelled = await labelRows(context, fields, [row])
  return withTitles(context, entity, labelled)[0] ?? row
}
