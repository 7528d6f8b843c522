// Takes a table that was made of a sheet or by a plan back as a whole, as long as nobody has changed its rows.
import { dictTypes } from '@jiaowu/api/entity/enums'
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import { storedKeys, type StoredEntity } from '@jiaowu/api/entity/definition/stored'
import type { Message } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { entityName } from '../../../model/definition/loaded.ts'
import { tableName } from '../../../model/definition/names.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { hideSql } from '../../design/hidden-sql.ts'
import { deleteDefinition } from '../../design/store.ts'
import { cancelJob, jobColumns } from '../../jobs/job-table.ts'
import type { ImportRecord } from '../../jobs/job.ts'
import { changeTable, type TableChange } from '../change-table.ts'
import { assertCount } from './archive-column.ts'
import type { OwnedTable, Place } from './owned-table.ts'
import { countOtherSchools, loadChanges, lockTable, type StoredChange } from './stored-changes.ts'

/** The import that brought the rows in, and the change that made the table. */
export interface Made {
  readonly made: StoredChange
  readonly first: ImportRecord | undefined
  readonly rows: number
}

/** The table and its rows, as they could be taken back. @throws Refusal 409 with the reason where they cannot */
export async function findMade(
  context: Context,
  owned: OwnedTable,
  stored: StoredEntity,
): Promise<Made> {
  const { schema, table } = owned
  const made = findCreation(await loadChanges(context, owned))
  if (schema !== formSchema || made === undefined || stored.builtIn)
    throw new Refusal(409, { key: 'made.notMade', params: { table: `${schema}.${table}` } })
  const relations = await listRelations(context, stored)
  if (relations.length > 0)
    throw new Refusal(409, { key: 'made.related', params: { names: relations.join('、') } })
  if ((await countOtherSchools(context, owned)) > 0)
    throw new Refusal(409, {
      key: 'made.othersUse',
      params: { column: stored.name, table: `${schema}.${table}` },
    })
  const { first, isBusy } = await findImport(context, stored.tag, made.id)
  if (isBusy) throw new Refusal(409, { key: 'made.importing' })
  const rows = await countUnchanged(context.database.untyped, context, owned, first)
  return { made, first, rows }
}

export function findCreation(changes: readonly StoredChange[]): StoredChange | undefined {
  return changes.find(({ kind, undone_by }) => kind === 'create' && undone_by === null)
}

/**
 * One act: the table with its rows, the definition, its menu entry, and an import that waits. `told`: the number of
 * rows that the author was told.
 * @throws Refusal 409 with the reason; then nothing has changed
 */
export async function takeBack(
  context: Context,
  owned: OwnedTable,
  stored: StoredEntity,
  told: number,
): Promise<string> {
  const { made, first } = await findMade(context, owned, stored)
  const audited = Object.fromEntries(
    Object.entries(hideSql(stored)).filter(([key]) => !storedKeys.some((each) => each === key)),
  )
  const id = await changeTable(context, {
    ...planTakeBack(owned),
    plan: { rows: told },
    undoes: made.id,
    guard: async (trx) => {
      await lockTable(trx, owned)
      assertCount(await countUnchanged(trx, context, owned, first), told)
    },
    within: async (trx) => {
      await deleteDefinition(trx, context, stored, audited)
      if (first !== undefined && ['queued', 'paused'].includes(first.status))
        await cancelJob(trx as unknown as AnyDatabase, first)
    },
  })
  context.registry.invalidate()
  return id
}

export function planTakeBack({ schema, table }: Place): TableChange {
  return {
    schema,
    table,
    kind: 'drop',
    plan: {},
    statements: [sql`drop table ${tableName(schema, table)}`],
  }
}

/** The entities whose relations name the rows. */
async function listRelations(context: Context, { tag }: StoredEntity): Promise<string[]> {
  return (await context.registry.all(context.subject.tenant))
    .filter(
      (entity) =>
        entity.tag !== tag &&
        entity.definition.fields.some(
          ({ dictType, dictValue }) =>
            dictType === dictTypes.entity && (dictValue ?? '').split('.')[0] === tag,
        ),
    )
    .map((entity) => entityName(entity, context.locale))
}

/** The first import into the entity since its table was made: the one that its sheet began. */
async function findImport(
  { database, subject }: Context,
  tag: string,
  since: string,
): Promise<{ readonly first: ImportRecord | undefined; readonly isBusy: boolean }> {
  const { rows } = await sql<ImportRecord>`
    select ${jobColumns} from sys.job
    where tenant_id = ${subject.tenant}::int8 and kind = 'import' and tag = ${tag} and id > ${since}::int8
    order by id`.execute(database.untyped)
  return { first: rows[0], isBusy: rows.some(({ status }) => status === 'running') }
}

/** @throws Refusal 409 where somebody has added, changed or deleted rows since the import */
async function countUnchanged(
  db: AnyDatabase,
  { subject }: Pick<Context, 'subject'>,
  { schema, table }: Place,
  first: ImportRecord | undefined,
): Promise<number> {
  const { rows } = await sql<Record<'total' | 'others' | 'changed' | 'deleted', string>>`
    select count(*) as total, count(*) filter (where version > 1 and deleted_at is null) as changed,
      count(*) filter (where deleted_at is not null) as deleted,
      count(*) filter (where tenant_id <> ${subject.tenant}::int8) as others
    from ${tableName(schema, table)}`.execute(db)
  const [total, others, changed, deleted] = (
    ['total', 'others', 'changed', 'deleted'] as const
  ).map((name) => Number(rows[0]?.[name] ?? 0)) as [number, number, number, number]
  const added = total - (first?.inserted ?? 0)
  const reason: Message | null =
    changed + deleted > 0
      ? { key: 'made.rowsChanged', params: { n: changed + deleted } }
      : added > 0 || others > 0
        ? { key: 'made.rowsAdded', params: { n: Math.max(added, others) } }
        : null
  if (reason !== null) throw new Refusal(409, reason)
  return total
}
