// Spreads the tables over the nodes of a Citus cluster by their placement (table-placement.ts).
import { type Kysely, sql, type Transaction } from 'kysely'
import { tablePlacement } from '../tables/table-placement.ts'
import { type ClusterTable, readClusterTables } from './tables.ts'

export interface SpreadReport {
  /** Names of tables that this run has spread, by where their rows are now. */
  readonly distributed: readonly string[]
  readonly reference: readonly string[]
  readonly local: readonly string[]
  /** Tables that stay on the coordinator, and why. */
  readonly left: readonly { readonly table: string; readonly reason: string }[]
}

/** The cluster cannot be used. The message is a sentence for the operator. */
class ClusterError extends Error {
  override readonly name = 'ClusterError'
}

/** All schools' tables are co-located with this one, so that their joins stay on one node. */
const first = 'sys.app_user'

/** Whether tables of the database are spread over a cluster. */
export async function isSpread(db: Kysely<unknown>): Promise<boolean> {
  if (!(await hasCitus(db))) return false
  const { rows } = await sql`select 1 from pg_dist_partition limit 1`.execute(db)
  return rows.length > 0
}

async function hasCitus(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db)
  return rows.length > 0
}

/**
 * Spreads what is not spread yet: tables of schools by `tenant_id`, shared ones as copies on each node,
 * local ones with the coordinator, where each node can ask for them. All or nothing.
 * @throws ClusterError without the extension or a node
 */
export async function spreadTables(db: Kysely<unknown>): Promise<SpreadReport> {
  if (!(await hasCitus(db)))
    throw new ClusterError(
      'The database has no extension citus: run "create extension citus" on every node, then add the nodes.',
    )
  const { rows: nodes } = await sql`
    select 1 from pg_dist_node where isactive and shouldhaveshards`.execute(db)
  if (nodes.length === 0)
    throw new ClusterError('The cluster has no node: add one with citus_add_node().')
  return await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    // Foreign keys between tables that are spread in one transaction need one connection per node.
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx)
    // The trigger of the audit log reads and writes only rows of its own school.
    await sql`set local citus.enable_unsafe_triggers = on`.execute(trx)
    return await spread(trx)
  })
}

async function spread(trx: Transaction<unknown>): Promise<SpreadReport> {
  const tables = (await readClusterTables(trx)).filter(({ isSpread }) => !isSpread)
  const placed = tables.map((table) => ({ table, ...choosePlacement(table) }))
  const named = (placement: string) =>
    placed.filter((each) => each.placement === placement).map(({ table }) => table.name)
  const keys = await dropForeignKeys(
    trx,
    tables.map(({ name }) => name),
  )
  const reference = named('shared')
  for (const name of reference) await sql`select create_reference_table(${name})`.execute(trx)
  const distributed = named('school').toSorted((a, b) => Number(b === first) - Number(a === first))
  for (const name of distributed)
    await sql`
      select create_distributed_table(${name}, 'tenant_id',
        colocate_with => ${name === first ? 'none' : first})`.execute(trx)
  const local = named('local')
  for (const name of local)
    await sql`select citus_add_local_table_to_metadata(${name})`.execute(trx)
  for (const { table, name, definition } of keys)
    await sql`
      alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      trx,
    )
  const left = placed.flatMap(({ table, reason }) =>
    reason === undefined ? [] : [{ table: table.name, reason }],
  )
  return { distributed, reference, local, left }
}

/** Where a table belongs; with the reason when it can only stay where it is. */
function choosePlacement(table: ClusterTable): { placement: string; reason?: string } {
  const { name, hasSchool, narrowKeys } = table
  if (Object.hasOwn(tablePlacement, name))
    return { placement: tablePlacement[name as keyof typeof tablePlacement] }
  if (!hasSchool) return { placement: 'left', reason: 'it has no column tenant_id bigint not null' }
  if (narrowKeys.length > 0)
    return {
      placement: 'left',
      reason: `its unique keys must contain tenant_id: ${narrowKeys.join(', ')}`,
    }
  return { placement: 'school' }
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Citus refuses to spread a table while a key connects it with one that is not spread. */
async function dropForeignKeys(
  trx: Transaction<unknown>,
  tables: readonly string[],
): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as table, conname::text as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0
      and (conrelid = any(${tables}::text[]::regclass[])
        or confrelid = any(${tables}::text[]::regclass[]))`.execute(trx)
  for (const { table, name } of rows)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(trx)
  return rows
}
