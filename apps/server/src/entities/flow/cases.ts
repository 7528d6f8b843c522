// The cases of rows in flows, as they are kept.
import { createHash } from 'node:crypto'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import {
  compileFlow,
  type CompiledFlow,
  type FlowCase,
  listActive,
  readStateKey,
} from '@jiaowu/machines/flow/flow'
import type { Kysely } from 'kysely'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'

export interface StoredCase {
  readonly id: string
  readonly rowId: string
  readonly flow: CompiledFlow
  readonly flowCase: FlowCase
  readonly version: number
  readonly since: string
  readonly startedAt: string
}

/** The database, or an open transaction, with the product's own tables. */
export type FlowDatabase = Kysely<Tables>

export function withTables(db: AnyDatabase): FlowDatabase {
  return db as unknown as FlowDatabase
}

/** The entity of a table whose definition has a flow; undefined without one. */
export function findFlowEntity(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
): LoadedEntity | undefined {
  if (entity.definition.options.flow !== undefined) return entity
  return registry
    .ofTable(subject.tenant, tableKey(entity))
    .find(({ definition }) => definition.options.flow !== undefined)
}

const digests = new WeakMap<Flow, string>()

function digestFlow(flow: Flow): string {
  const known = digests.get(flow)
  if (known !== undefined) return known
  const digest = createHash('sha256').update(JSON.stringify(flow)).digest('hex')
  digests.set(flow, digest)
  return digest
}

/** The cases of rows, by row id. `isLocked` holds them until the commit. */
export async function loadCases(
  db: FlowDatabase,
  tenant: string,
  entity: LoadedEntity,
  rowIds: readonly string[],
  isLocked = false,
): Promise<ReadonlyMap<string, StoredCase>> {
  if (rowIds.length === 0) return new Map()
  const query = db
    .selectFrom('sys.flow_case as c')
    .innerJoin('sys.flow_revision as r', (join) =>
      join.onRef('r.tenant_id', '=', 'c.tenant_id').onRef('r.id', '=', 'c.revision_id'),
    )
    .select([
      'c.id',
      'c.row_id',
      'c.facts',
      'c.version',
      'c.since',
      'c.started_at',
      'r.digest',
      'r.flow',
    ])
    .where('c.tenant_id', '=', tenant)
    .where('r.tenant_id', '=', tenant)
    .where('c.table_name', '=', tableKey(entity))
    .where('c.row_id', 'in', [...rowIds])
    .orderBy('c.row_id')
  const rows = await (isLocked ? query.forUpdate('c') : query).execute()
  // The flow of the definition stays compiled; each earlier revision is compiled once for this call.
  const { flow: current } = entity.definition.options
  const flows = new Map<string, CompiledFlow>()
  if (current !== undefined) flows.set(digestFlow(current), compileFlow(current))
  for (const { digest, flow } of rows) if (!flows.has(digest)) flows.set(digest, compileFlow(flow))
  return new Map(
    rows.map((row) => [
      row.row_id,
      {
        id: row.id,
        rowId: row.row_id,
        flow: flows.get(row.digest) ?? compileFlow(row.flow),
        flowCase: row.facts as FlowCase,
        version: row.version,
        since: row.since,
        startedAt: row.started_at,
      },
    ]),
  )
}

/** A case that began with an earlier revision than the flow of its entity. */
interface EarlierCase {
  readonly rowId: string
  /** The outermost state. */
  readonly state: string
  readonly flow: CompiledFlow
}

/** The open cases of other revisions than the flow, oldest first. */
export async function listEarlierCases(
  { database, subject: { tenant } }: Pick<Context, 'database' | 'subject'>,
  entity: LoadedEntity,
  current: Flow,
): Promise<readonly EarlierCase[]> {
  const rows = await database.kysely
    .selectFrom('sys.flow_case as c')
    .innerJoin('sys.flow_revision as r', (join) =>
      join.onRef('r.tenant_id', '=', 'c.tenant_id').onRef('r.id', '=', 'c.revision_id'),
    )
    .select(['c.row_id', 'c.state', 'r.digest'])
    .where('c.tenant_id', '=', tenant)
    .where('r.tenant_id', '=', tenant)
    .where('c.table_name', '=', tableKey(entity))
    .where('c.is_done', '=', false)
    .where('r.digest', '<>', digestFlow(current))
    .orderBy('c.id')
    .execute()
  const digests = [...new Set(rows.map(({ digest }) => digest))]
  if (digests.length === 0) return []
  const revisions = await database.kysely
    .selectFrom('sys.flow_revision')
    .select(['digest', 'flow'])
    .where('tenant_id', '=', tenant)
    .where('digest', 'in', digests)
    .execute()
  const flows = new Map(revisions.map(({ digest, flow }) => [digest, compileFlow(flow)]))
  return rows.flatMap(({ row_id, state, digest }) => {
    const flow = flows.get(digest)
    return flow === undefined ? [] : [{ rowId: row_id, state, flow }]
  })
}

/** The revision that new cases of the flow begin with. */
async function saveRevision(
  trx: FlowDatabase,
  { newId, subject: { tenant } }: Context,
  tag: string,
  flow: Flow,
): Promise<string> {
  const text = JSON.stringify(flow)
  const digest = digestFlow(flow)
  const find = () =>
    trx
      .selectFrom('sys.flow_revision')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('tag', '=', tag)
      .where('digest', '=', digest)
      .executeTakeFirst()
  const known = await find()
  if (known !== undefined) return known.id
  await trx
    .insertInto('sys.flow_revision')
    .values({ tenant_id: tenant, id: newId(), tag, digest, flow: text })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'tag', 'digest']).doNothing())
    .execute()
  const made = await find()
  if (made === undefined) throw new Error('a revision of a flow was not kept')
  return made.id
}

export interface NewCase {
  readonly rowId: string
  readonly flowCase: FlowCase
}

/** Begins cases. Rows that have one keep it. */
export async function insertCases(
  trx: FlowDatabase,
  context: Context,
  entity: LoadedEntity,
  flow: Flow,
  cases: readonly NewCase[],
): Promise<ReadonlyMap<string, StoredCase>> {
  const { newId, subject, now } = context
  const revision = await saveRevision(trx, context, entity.tag, flow)
  const at = now()
  for (let from = 0; from < cases.length; from += chunk)
    await trx
      .insertInto('sys.flow_case')
      .values(
        cases.slice(from, from + chunk).map(({ rowId, flowCase }) => ({
          tenant_id: subject.tenant,
          id: newId(),
          tag: entity.tag,
          table_name: tableKey(entity),
          row_id: rowId,
          applicant_id: flowCase.context.applicant,
          revision_id: revision,
          state: readStateKey(flowCase),
          is_done: flowCase.isDone,
          facts: JSON.stringify(flowCase),
          version: 1,
          since: at,
          started_at: at,
        })),
      )
      .onConflict((conflict) => conflict.columns(['tenant_id', 'table_name', 'row_id']).doNothing())
      .execute()
  return await loadCases(
    trx,
    subject.tenant,
    entity,
    cases.map(({ rowId }) => rowId),
  )
}
const chunk = 500

/** @param revision the flow that the case goes on with; without one its own */
export async function updateCase(
  trx: FlowDatabase,
  context: Context,
  stored: StoredCase,
  next: FlowCase,
  revision?: { readonly tag: string; readonly flow: Flow },
): Promise<StoredCase> {
  const {
    subject: { tenant },
    now,
  } = context
  const revisionId =
    revision === undefined ? null : await saveRevision(trx, context, revision.tag, revision.flow)
  const isMoved = describePlace(next) !== describePlace(stored.flowCase)
  const since = isMoved ? now().toISOString() : stored.since
  exactlyOne(
    await trx
      .updateTable('sys.flow_case')
      .set({
        state: readStateKey(next),
        is_done: next.isDone,
        facts: JSON.stringify(next),
        version: stored.version + 1,
        since,
        ...(revisionId !== null && { revision_id: revisionId }),
      })
      .where('tenant_id', '=', tenant)
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .executeTakeFirst(),
    'sys.flow_case',
  )
  return { ...stored, flowCase: next, version: stored.version + 1, since }
}

function describePlace(flowCase: FlowCase): string {
  return listActive(flowCase).toSorted().join()
}

export interface NewDecision {
  readonly event: string
  readonly path: string
  readonly from: string
  readonly to: string
  readonly note: string | null
  /** Null for a timer. */
  readonly by: string | null
  readonly fields: readonly string[]
  /** The person in whose name a substitute acts. */
  readonly principal?: string | null
  /** The person or the role that is given the task, or added. */
  readonly whom?: { readonly person: string | null; readonly role: string | null }
}

export async function insertDecision(
  trx: FlowDatabase,
  { newId, subject, now }: Context,
  caseId: string,
  { event, path, from, to, note, by, fields, principal = null, whom }: NewDecision,
): Promise<void> {
  await trx
    .insertInto('sys.flow_decision')
    .values({
      tenant_id: subject.tenant,
      id: newId(),
      case_id: caseId,
      at: now(),
      user_id: by,
      event,
      path,
      from_state: from,
      to_state: to,
      note,
      fields: JSON.stringify(fields),
      for_id: principal,
      to_id: whom?.person ?? null,
      to_role: whom?.role ?? null,
    })
    .execute()
}

/** Purged rows leave nothing. */
export async function deleteCases(
  trx: FlowDatabase,
  tenant: string,
  entity: LoadedEntity,
  rowIds: readonly string[],
): Promise<void> {
  const ids = [...(await loadCases(trx, tenant, entity, rowIds)).values()].map(({ id }) => id)
  if (ids.length === 0) return
  for (const name of [
    'sys.flow_copy',
    'sys.flow_timer',
    'sys.flow_todo',
    'sys.flow_decision',
  ] as const)
    await trx.deleteFrom(name).where('tenant_id', '=', tenant).where('case_id', 'in', ids).execute()
  await trx
    .deleteFrom('sys.flow_case')
    .where('tenant_id', '=', tenant)
    .where('id', 'in', ids)
    .execute()
}
