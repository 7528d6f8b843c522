// Writes a chunk of ledger rows to the table in a few statements, whatever its size
// (docs/rules/database.md#bulk-writes), with the effects of a form's save.
import { keptCells } from '../../../../model/definition/kept.ts'
import { decodeRowId } from '@jiaowu/api/row-id'
import { dictTypes, type SystemColumn } from '@jiaowu/api/entity/enums'
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../../model/context.ts'
import { type EntityAccess, tenantRows } from '../../../../access/access.ts'
import { lookupAccess } from '../../../../access/lookup-access.ts'
import { exactly, exactlyOne } from '../../../../platform/database/tables/row-count.ts'
import {
  afterPasswordChange,
  guardAccounts,
  guardPersons,
  assertAdministratorRemains,
  keepOwnRoles,
} from '../../../write/accounts.ts'
import { guardSettings } from '../../../write/guard-settings.ts'
import type { LoadedEntity, LoadedField } from '../../../../model/definition/loaded.ts'
import { valueFields } from '../../../../model/definition/loaded.ts'
import { saveCustomValues } from '../../../write/values/custom.ts'
import { tableKey } from '../../../../model/definition/column-key.ts'
import { lockedRows } from '../../../entry/locks.ts'
import { fieldChanges, rowsBefore } from '../../../write/history.ts'
import { recordHistory } from '../../../../model/row-history.ts'
import { allOf, columnRef, typed } from '../../../../model/definition/names.ts'
import { identifier, tableName } from '../../../../model/definition/names.ts'
import { namedTargets, tagIn } from '../../../../model/definition/named-target.ts'
import { relationOf } from '../../../../model/definition/relation.ts'
import { hasId, idRef, idText, keyCast, type Keyed } from '../../../../model/definition/row-key.ts'
import { withIds } from '../../../read/row.ts'
import { sharedLock } from '../../../read/rows.ts'
import { fromTable } from '../../../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../../../platform/database/any-database.ts'
import { goneRows, useSchoolClock } from '../../../write/insert.ts'
import { serialFor } from '../../../write/values/serial.ts'
import { assertTree } from '../../../tree/checks.ts'
import type { Change } from '../../../write/values/values.ts'
import { castBack } from '../../../../model/fields/cast-back.ts'
import { castOf, type Column } from '../../../../model/fields/column.ts'
import type { WritableRow } from '../../../jobs/job.ts'
import { assertDepth, assertScope } from './after-write.ts'
import { cellsOf, type Cells } from './cells.ts'
import { payloadKey, valueOf } from '../payload.ts'
import type { WriteFault } from './written.ts'

/**
 * What writing needs, loaded once per run: inside the transaction only its own connection may be
 * used.
 */
export interface Writer {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly add: EntityAccess | null
  readonly update: EntityAccess | null
  /** Relations whose chosen records are locked while the rows are written. */
  readonly relations: readonly {
    readonly field: LoadedField
    readonly target: EntityAccess
    /** The key of the target that the field stores. */
    readonly keyed: Keyed
    /** Of a relation to several entities: in rows that name this one. */
    readonly tag?: string
  }[]
  /** Writes the rows of a chunk; see `writeRows`. */
  readonly write: (db: AnyDatabase, rows: readonly WritableRow[]) => Promise<Written>
  /** Of the written rows those that the table deletes at the commit; for tables that may. */
  readonly gone?: (db: AnyDatabase, ids: readonly string[]) => Promise<ReadonlySet<string>>
}
export async function createWriter(
  context: Context,
  entity: LoadedEntity,
  add: EntityAccess | null,
  update: EntityAccess | null,
): Promise<Writer> {
  const relations: Writer['relations'][number][] = []
  for (const field of valueFields(entity).filter(
    ({ kind, definition }) => kind.family === 'choice' && definition.dictType === dictTypes.entity,
  )) {
    const targets =
      field.namedBy === undefined
        ? [{ aimed: field }]
        : [...(await namedTargets(context, field))].map(([tag, aimed]) => ({ aimed, tag }))
    for (const { aimed, ...named } of targets) {
      const relation = await relationOf(context, aimed)
      if (relation === null) continue
      const { target, keyed } = relation
      relations.push({ field, target: lookupAccess(context, target), keyed, ...named })
    }
  }
  const writer: Writer = {
    context,
    entity,
    add,
    update,
    relations,
    write: (db, rows) => writeRows(db, writer, rows),
    ...(entity.table.hasDeferredTriggers === true
      ? { gone: (db, ids) => goneRows(db, entity, ids, context.subject.tenant) }
      : {}),
  }
  return writer
}

/**
 * Locks the rows to change. One that was deleted, or saved since it was checked, becomes a fault
 * and is not overwritten.
 */
export async function staleRows(
  db: AnyDatabase,
  { entity, update }: Pick<Writer, 'entity' | 'update'>,
  rows: readonly WritableRow[],
): Promise<WriteFault[]> {
  if (rows.length === 0) return []
  if (update === null) return rows.map((row) => ({ row, rule: 'noRecord', attrName: null }))
  const version = entity.has('version') ? columnRef('version') : sql`${identifier('t')}.xmin`
  const { rows: found } = await sql<{ id: string; version: string }>`
    select ${idText(entity)} as id, ${version}::text as version
      from ${fromTable(entity)} where ${update.rows} and ${withIds(
        update,
        rows.map(({ row_id }) => row_id ?? ''),
      )} order by ${idRef(entity)} for update`.execute(db)
  const versions = new Map(found.map((row) => [row.id, row.version]))
  return rows.flatMap((row): WriteFault[] => {
    const held = versions.get(row.row_id ?? '')
    return held === undefined
      ? [{ row, rule: 'noRecord', attrName: null }]
      : held === row.version
        ? []
        : [{ row, rule: 'changed', attrName: null }]
  })
}

interface Filled {
  readonly row: WritableRow
  readonly changes: readonly Change[]
  readonly cells: Cells
}

export interface Written {
  readonly faults: readonly WriteFault[]
  readonly ids: ReadonlyMap<WritableRow, string>
}

/**
 * Writes new and changed rows in the given transaction. Rows with faults known beforehand are
 * skipped and returned.
 * @throws WrittenWrong, Refusal, and constraint violations: then nothing of the chunk may be
 * committed
 */
async function writeRows(
  db: AnyDatabase,
  writer: Writer,
  rows: readonly WritableRow[],
): Promise<Written> {
  const { context, entity, add, update } = writer
  await useSchoolClock(db, entity)
  const wanted = rows.filter(({ verdict }) => verdict === 'f' || verdict === 'c')
  const faults = [
    ...(await staleRows(
      db,
      writer,
      wanted.filter(({ verdict }) => verdict === 'c'),
    )),
    ...(await missingChoices(db, writer, wanted)),
    ...(await inLockedSheets(db, writer, wanted)),
  ]
  const faulty = new Set(faults.map(({ row }) => row))
  const good = wanted
    .filter((row) => !faulty.has(row))
    .map((row): Filled => {
      const changes = changesOf(writer, row)
      return {
        row,
        changes,
        cells: new Map(
          [...cellsOf(entity, changes)].toSorted(([a], [b]) => (a.name < b.name ? -1 : 1)),
        ),
      }
    })
  const [fresh, changed] = [
    good.filter(({ row }) => row.verdict === 'f'),
    good.filter(({ row }) => row.verdict === 'c'),
  ]
  const updated = new Map(changed.map(({ row }) => [row, row.row_id ?? '']))
  if (update !== null && entity.definition.parentField !== null)
    for (const { row, changes } of changed) await assertTree(db, update, row.row_id ?? '', changes)
  await guardAccounts(db, context, entity, [...updated.values()])
  const assertOwnRoles = await keepOwnRoles(db, context, entity, [...updated.values()])
  const before = update === null ? new Map() : await rowsBefore(db, update, [...updated.values()])
  const inserted = await insertRows(db, writer, fresh)
  await updateRows(db, writer, changed)
  const ids = new Map([...inserted, ...updated])
  await settle(db, writer, good, ids)
  if (changed.length > 0) await assertAdministratorRemains(db, context, entity)
  await assertOwnRoles()
  // The history of a new row records who created it and when; its values are in the row itself.
  await recordHistory(
    db,
    context,
    entity,
    good.map(({ row, changes }) =>
      updated.has(row)
        ? {
            id: row.row_id ?? '',
            action: 'update',
            changes: fieldChanges(entity, changes, before.get(row.row_id ?? '') ?? null),
          }
        : { id: inserted.get(row) ?? '', action: 'add', changes: [] },
    ),
  )
  await assertDepth(db, add, inserted)
  await assertScope(db, add, inserted)
  await assertScope(db, update, updated)
  return { faults, ids }
}

async function inLockedSheets(
  db: AnyDatabase,
  writer: Writer,
  rows: readonly WritableRow[],
): Promise<WriteFault[]> {
  const { context, entity } = writer
  const written = rows.map((row) => ({
    id: row.verdict === 'c' ? row.row_id : null,
    changes: changesOf(writer, row),
  }))
  const locked = await lockedRows(db, context, entity, written)
  return rows
    .filter((_row, i) => locked[i])
    .map((row): WriteFault => ({ row, rule: 'locked', attrName: null }))
}

/** Locks chosen records against deletion until the transaction ends, like a form's save. */
async function missingChoices(
  db: AnyDatabase,
  writer: Writer,
  rows: readonly WritableRow[],
): Promise<WriteFault[]> {
  const faults: WriteFault[] = []
  for (const [field, targets] of Map.groupBy(writer.relations, (relation) => relation.field)) {
    const { attrName } = field.definition
    const idsOf = ({ payload }: WritableRow) => idsIn(payload?.[attrName])
    const left = new Set(rows.filter((row) => idsOf(row).length > 0))
    for (const { target, keyed, tag } of targets) {
      const concerned = [...left].filter((row) => mayName(row, field, tag))
      const wanted = [...new Set(concerned.flatMap(idsOf))]
      if (wanted.length === 0) continue
      const { rows: found } = await sql<{
        id: string
      }>`select ${idText(keyed)} as id from ${fromTable(target.entity)} where ${target.rows} and ${hasId(keyed, wanted)} ${sharedLock(target.entity)}`.execute(
        db,
      )
      const known = new Set(found.map(({ id }) => id))
      for (const row of concerned) if (idsOf(row).every((id) => known.has(id))) left.delete(row)
    }
    faults.push(...[...left].map((row): WriteFault => ({ row, rule: 'choice', attrName })))
  }
  return faults
}

/** Whether the row may point to the entity `tag`; a payload leaves out a tag that stays as it is. */
function mayName({ payload }: WritableRow, { namedBy }: LoadedField, tag?: string): boolean {
  const named = namedBy === undefined ? undefined : tagIn(payload?.[namedBy.attrName])
  return named === undefined || named === null || named === tag
}

function idsIn(value: WireValue | readonly string[] | undefined): readonly string[] {
  return Array.isArray(value)
    ? value.map((each: string | DictItem) => (typeof each === 'string' ? each : each.id))
    : []
}

function changesOf(
  { entity, context: { keys, registry, subject } }: Writer,
  { payload }: WritableRow,
): Change[] {
  const others = registry.ofTable(subject.tenant, tableKey(entity)).flatMap(valueFields)
  return Object.entries(payload ?? {}).flatMap(([name, value]) => {
    const field = entity.field(name) ?? others.find((each) => payloadKey(entity, each) === name)
    return field === undefined ? [] : [{ field, value: valueOf(field, value, keys) }]
  })
}

async function insertRows(
  db: AnyDatabase,
  writer: Writer,
  rows: readonly Filled[],
): Promise<Map<WritableRow, string>> {
  const { context, entity } = writer
  // Counts inside the transaction, because a counter outside it would need a second connection. Its
  // numbers therefore have no gaps.
  const counted: LoadedEntity = {
    ...entity,
    definition: {
      ...entity.definition,
      options: { ...entity.definition.options, serialNumFast: false },
    },
  }
  const ids = new Map<WritableRow, string>()
  const filled: Filled[] = []
  for (const { row, changes, cells } of rows) {
    const kept = new Map([...cells].filter(([column, text]) => text !== null || !column.hasDefault))
    const number = await (
      await serialFor(context, counted, (attrName) =>
        valueOf(entity.field(attrName), row.payload?.[attrName] ?? null, context.keys),
      )
    ).take(db)
    if (number !== null) kept.set(number.column, number.text)
    filled.push({
      row,
      changes,
      cells: new Map([...kept].toSorted(([a], [b]) => (a.name < b.name ? -1 : 1))),
    })
  }
  for (const alike of byColumns(withoutEmpty(filled))) {
    const made = await insertAlike(db, writer, alike)
    for (const [i, { row }] of alike.entries()) ids.set(row, made[i] ?? row.row_id ?? '')
  }
  return ids
}

function byColumns(rows: readonly Filled[]): Filled[][] {
  return [
    ...Map.groupBy(rows, ({ cells }) => [...cells.keys()].map(({ name }) => name).join()).values(),
  ]
}

/** Leaves out columns that no row of the chunk fills, so that their defaults apply. */
function withoutEmpty(rows: readonly Filled[]): Filled[] {
  const used = new Set(
    rows.flatMap(({ cells }) =>
      [...cells].flatMap(([column, text]) => (text === null ? [] : [column])),
    ),
  )
  return rows.map((each) => ({
    ...each,
    cells: new Map([...each.cells].filter(([column]) => used.has(column))),
  }))
}

/** Inserts rows that fill the same columns. Returns the ids in their order. */
async function insertAlike(
  db: AnyDatabase,
  writer: Writer,
  rows: readonly Filled[],
): Promise<string[]> {
  const {
    entity,
    context: { subject },
  } = writer
  const columns = [...(rows[0]?.cells.keys() ?? [])]
  const own = system(writer, 'insert').filter(({ column }) => !columns.includes(column))
  const org = entity.has('org_id') ? entity.table.columns.get('org_id') : undefined
  const extra =
    org === undefined || columns.includes(org)
      ? own
      : [...own, { column: org, value: typed(subject.org?.id ?? null, castOf(org)) }]
  const withId = rows.some(({ row }) => row.row_id !== null)
  const lists = [
    ...(withId ? [rows.map(({ row }) => row.row_id)] : []),
    ...columns.map((column) => rows.map(({ cells }) => cells.get(column) ?? null)),
  ]
  const targets = [...(withId ? [entity.id] : []), ...columns]
  const { rows: made } = await sql<{ id: string }>`
    insert into ${tableName(entity.table.schema, entity.table.name)} as t (${sql.join([...targets, ...extra.map(({ column }) => column)].map(({ name }) => identifier(name)))})
    select ${sql.join([...targets.map((column, i) => castBack(column, sql`u.${identifier(`c${i}`)}`)), ...extra.map(({ value }) => value)])} from ${lists.length === 0 ? sql`generate_series(1, ${rows.length}::int)` : unnestOf(lists)}
    returning ${idText(entity)} as id`.execute(db)
  return made.map(({ id }) => id)
}

function system(
  { entity, context: { subject } }: Writer,
  kind: 'insert' | 'update',
): { column: Column; value: RawBuilder<unknown> }[] {
  const wanted: Record<string, RawBuilder<unknown>> = {
    update_user: typed(subject.userId, 'int8'),
    update_time: sql`now()`,
    ...(kind === 'insert'
      ? {
          tenant_id: typed(subject.tenant, 'int8'),
          create_user: typed(subject.userId, 'int8'),
          create_time: sql`now()`,
        }
      : { version: sql`t.version + 1` }),
  }
  const own = Object.entries(wanted).flatMap(([name, value]) => {
    const column = entity.has(name as SystemColumn) ? entity.table.columns.get(name) : undefined
    return column === undefined
      ? []
      : [
          {
            column,
            value: castOf(column) === 'text' && name.endsWith('user') ? sql`${value}::text` : value,
          },
        ]
  })
  return [...own, ...keptCells(entity, subject, kind)]
}

function unnestOf(lists: readonly (readonly (string | null)[])[]): RawBuilder<unknown> {
  return sql`unnest(${sql.join(lists.map((list) => sql`${list}::text[]`))}) with ordinality as u(${sql.join([...lists.map((_list, i) => identifier(`c${i}`)), identifier('ord')])})`
}

async function updateRows(db: AnyDatabase, writer: Writer, rows: readonly Filled[]): Promise<void> {
  const { entity } = writer
  const hasEmptied = ({ cells }: Filled) =>
    [...cells].some(([column, text]) => isEmptied(column, text))
  for (const alike of byColumns(rows.filter((row) => !hasEmptied(row))))
    await updateAlike(db, writer, alike)
  // Setting a column to its default needs a separate statement.
  for (const { row, changes, cells } of rows.filter(hasEmptied)) {
    await updateAlike(db, writer, [
      {
        row,
        changes,
        cells: new Map([...cells].filter(([column, text]) => !isEmptied(column, text))),
      },
    ])
    const emptied = [...cells].filter(([column, text]) => isEmptied(column, text))
    exactlyOne(
      await sql`
        update ${tableName(entity.table.schema, entity.table.name)} as t
        set ${sql.join(emptied.map(([column]) => sql`${identifier(column.name)} = default`))}
        where ${tenantRows(entity, writer.context.subject.tenant)}
          and ${hasId(entity, [row.row_id ?? ''])}`.execute(db),
      entity.definition.name,
    )
  }
}

function isEmptied(column: Column, text: string | null): boolean {
  return text === null && !column.nullable && column.hasDefault
}

async function updateAlike(
  db: AnyDatabase,
  writer: Writer,
  rows: readonly Filled[],
): Promise<void> {
  const { entity } = writer
  const columns = [...(rows[0]?.cells.keys() ?? [])]
  const own = system(writer, 'update').filter(({ column }) => !columns.includes(column))
  const keys = rows.map(({ row }) => decodeRowId(row.row_id ?? '', entity.key.length) ?? [])
  const lists = [
    ...entity.key.map((_column, i) => keys.map((values) => values[i] ?? null)),
    ...columns.map((column) => rows.map(({ cells }) => cells.get(column) ?? null)),
  ]
  const sets = [
    ...columns.map(
      (column, i) => sql`${identifier(column.name)} = u.${identifier(`c${i + entity.key.length}`)}`,
    ),
    ...own.map(({ column, value }) => sql`${identifier(column.name)} = ${value}`),
  ]
  if (sets.length === 0) return
  // Cast before the update: such casts depend on the session, and a distributed engine takes none in it.
  const casts = [...entity.key, ...columns].map((column, i) => {
    const name = identifier(`c${i}`)
    const ref = sql`u.${name}`
    // Ids hold instants with their offset from UTC, cells the time of the school.
    return i < entity.key.length
      ? sql`${ref}::${sql.raw(keyCast(column))} as ${name}`
      : sql`${castBack(column, ref)} as ${name}`
  })
  exactly(
    await sql`
      with given as materialized (select ${sql.join(casts)} from ${unnestOf(lists)})
      update ${tableName(entity.table.schema, entity.table.name)} as t set ${sql.join(sets)}
      from given as u
      where ${tenantRows(entity, writer.context.subject.tenant)}
        and ${allOf(entity.key.map((column, i) => sql`${columnRef(column.name)} = u.${identifier(`c${i}`)}`))}`.execute(
      db,
    ),
    rows.length,
    entity.definition.name,
  )
}

/** Effects of a write that depend on the table. */
async function settle(
  db: AnyDatabase,
  { context, entity }: Writer,
  rows: readonly Filled[],
  ids: ReadonlyMap<WritableRow, string>,
): Promise<void> {
  await guardAccounts(db, context, entity, [...ids.values()])
  await guardPersons(db, context, entity, [...ids.values()])
  await guardSettings(db, context.subject, entity, [...ids.values()])
  for (const { row, changes } of rows) {
    const id = ids.get(row) ?? ''
    await saveCustomValues(db, entity, context.subject.tenant, id, changes)
    if (changes.some(({ field, value }) => field.kind.secret && !isEmpty(value)))
      await afterPasswordChange(db, context, entity, id)
  }
}
