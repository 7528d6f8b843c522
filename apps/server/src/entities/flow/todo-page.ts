// The cases that wait for the caller, that they began, or that they decided in.
import type { FlowTodo, FlowTodoPage, TodoKind } from '@jiaowu/api/contract/entity/flow'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { compileFlow, type CompiledFlow, type FlowCase } from '@jiaowu/machines/flow/flow'
import { isBarred } from '@jiaowu/machines/flow/people'
import { type RawBuilder, sql } from 'kysely'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { entityName, type LoadedEntity } from '../../model/definition/loaded.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { labelRows } from '../read/labels.ts'
import { withIds } from '../read/row.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'
import { readableTitleFields, rowTitle, titleFields } from '../read/titles.ts'
import { buildVersion, loadUserNames, nameState } from './read.ts'
import { identifyPerson } from './row-people.ts'
import { loadOffers } from './todo-offers.ts'
import { readDueTimes } from './timers.ts'

/** Cases that are looked at; a person with more to do sees the newest. */
const most = 1000

interface Found {
  readonly id: string
  readonly tag: string
  readonly row_id: string
  readonly state: string
  readonly is_done: boolean
  readonly applicant_id: string | null
  readonly version: number
  readonly facts: FlowCase
  readonly revision_id: string
  readonly since: string
  /** The events that wait for the caller, in `open`. */
  readonly events: readonly string[] | null
}

interface TodoQuery {
  readonly mine: TodoKind
  readonly tag?: string | undefined
  readonly pageSize: number
  readonly pageNum: number
}

export async function pageTodos(
  context: Context,
  { mine, tag, pageSize, pageNum }: TodoQuery,
): Promise<FlowTodoPage> {
  const found = await findCases(context, mine, tag)
  const flows = await loadFlows(context, found)
  const waiting = found.filter((each) => {
    const flow = flows.get(each.revision_id)
    return flow !== undefined && (mine !== 'open' || isTheirs(context, flow, each))
  })
  const titles = await loadTitles(context, waiting)
  const visible = waiting.filter(({ id }) => titles.has(id))
  const shown = visible.slice((pageNum - 1) * pageSize, pageNum * pageSize)
  const names = await loadUserNames(
    context,
    shown.flatMap(({ applicant_id }) => applicant_id ?? []),
  )
  const offers = mine === 'open' ? await loadOffers(context, flows, shown) : new Map()
  const due = await readDueTimes(
    context.database.kysely,
    context.subject.tenant,
    shown.map(({ id }) => id),
  )
  return {
    records: shown.flatMap((each): FlowTodo[] => {
      const flow = flows.get(each.revision_id)
      const title = titles.get(each.id)
      if (flow === undefined || title === undefined) return []
      const tone = flow.parts.states.get(each.state)?.state?.tone
      const dueTime = due.get(each.id)
      return [
        {
          tag: each.tag,
          entity: title.entity,
          id: each.row_id,
          title: title.title,
          state: each.state,
          name: nameState(context, flow, each.state),
          ...(tone !== undefined && { tone }),
          isDone: each.is_done,
          since: localTime(new Date(each.since)),
          ...(dueTime !== undefined && { due: localTime(dueTime) }),
          applicant:
            each.applicant_id === null
              ? null
              : { id: each.applicant_id, name: names.get(each.applicant_id) ?? each.applicant_id },
          can: offers.get(each.id) ?? [],
          version: title.version,
        },
      ]
    }),
    total: visible.length,
    size: pageSize,
    current: pageNum,
    entities: await listEntities(context, mine),
  }
}

/** Entities with cases of the kind that the caller may view. */
async function listEntities(context: Context, mine: TodoKind): Promise<FlowTodoPage['entities']> {
  const { rows } = await sql<{ tag: string }>`
    select distinct c.tag from sys.flow_case c
    where c.tenant_id = ${context.subject.tenant}::int8 and ${belongsTo(context, mine)}
    order by c.tag`.execute(context.database.untyped)
  const found: { tag: string; name: string }[] = []
  for (const { tag } of rows) {
    const entity = await context.registry.find(context.subject.tenant, tag)
    if (entity !== undefined && (await findAccess(context, entity)) !== null)
      found.push({ tag, name: entityName(entity, context.locale) })
  }
  return found
}

async function findCases(
  context: Context,
  mine: TodoKind,
  tag: string | undefined,
): Promise<readonly Found[]> {
  const { database, subject } = context
  const { rows } = await sql<Found>`
    select c.id, c.tag, c.row_id, c.state, c.is_done, c.applicant_id, c.version, c.facts, c.revision_id,
      c.since, ${mine === 'open' ? sql`(${selectEvents(context)})` : sql`null::text[]`} as events
    from sys.flow_case c
    where c.tenant_id = ${subject.tenant}::int8 and ${belongsTo(context, mine)}
      ${tag === undefined ? sql`` : sql`and c.tag = ${tag}::text`}
    order by c.since desc, c.id desc
    limit ${most}`.execute(database.untyped)
  return rows
}

/** The condition on a case `c` to be of the kind for the caller. */
function belongsTo(context: Context, mine: TodoKind): RawBuilder<unknown> {
  const { tenant, userId } = context.subject
  const kinds: Readonly<Record<TodoKind, RawBuilder<unknown>>> = {
    open: sql`not c.is_done and (${selectEvents(context)}) is not null`,
    started: sql`c.applicant_id = ${userId}::int8`,
    decided: sql`c.applicant_id is distinct from ${userId}::int8 and exists (
      select 1 from sys.flow_decision d
      where d.tenant_id = ${tenant}::int8 and d.case_id = c.id and d.user_id = ${userId}::int8)`,
  }
  return kinds[mine]
}

/** The events of a case `c` that wait for the caller; null without one. */
function selectEvents({
  subject: { tenant, userId, roles, org, person },
}: Context): RawBuilder<unknown> {
  return sql`
    select array_agg(distinct t.event) from sys.flow_todo t
    where t.tenant_id = ${tenant}::int8 and t.case_id = c.id and (
      (t.role = any(${[...roles]}::text[]) and (t.org_id is null or t.org_id = ${org?.id ?? null}::int8))
      or t.user_id = ${userId}::int8
      or (t.person_tag = ${person?.tag ?? null}::text and t.person_id = ${person?.id ?? null}::text))`
}

async function loadFlows(
  { database: { kysely }, subject }: Context,
  found: readonly Found[],
): Promise<ReadonlyMap<string, CompiledFlow>> {
  const ids = [...new Set(found.map(({ revision_id }) => revision_id))]
  if (ids.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('sys.flow_revision')
    .select(['id', 'flow'])
    .where('tenant_id', '=', subject.tenant)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, flow }) => [id, compileFlow(flow as Flow)]))
}

/** Whether an event that names the caller is theirs indeed: not as the applicant, and not a second time. */
function isTheirs(
  { subject }: Context,
  { parts }: CompiledFlow,
  { facts: { context }, events }: Found,
): boolean {
  return (events ?? []).some((type) =>
    parts.events.some(
      ({ type: each, people, path }) =>
        each === type &&
        people !== null &&
        !isBarred(people, {
          context,
          person: { id: identifyPerson(subject, context.applicant) },
          state: path,
          votes: context.votes[type] ?? [],
        }),
    ),
  )
}

interface Title {
  readonly entity: string
  readonly title: string
  readonly version: string
}

/** The rows that the caller may see, by the id of their case. */
async function loadTitles(
  context: Context,
  found: readonly Found[],
): Promise<ReadonlyMap<string, Title>> {
  const titles = new Map<string, Title>()
  for (const [tag, cases] of Map.groupBy(found, (each) => each.tag)) {
    const entity = await context.registry.find(context.subject.tenant, tag)
    const rows =
      entity === undefined
        ? null
        : await loadRows(
            context,
            entity,
            cases.map(({ row_id }) => row_id),
          )
    if (entity === undefined || rows === null) continue
    for (const { id, row_id, version } of cases) {
      const row = rows.get(row_id)
      if (row !== undefined)
        titles.set(id, {
          entity: entityName(entity, context.locale),
          title: row.title,
          version: buildVersion(version, row.row),
        })
    }
  }
  return titles
}

/** Null for an entity that the caller may not view. */
async function findAccess(context: Context, entity: LoadedEntity): Promise<EntityAccess | null> {
  return await accessTo(context, entity, 'view').catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}

/** Null for an entity that the caller may not view. */
async function loadRows(context: Context, entity: LoadedEntity, ids: readonly string[]) {
  const access = await findAccess(context, entity)
  if (access === null) return null
  const fields = [...new Set([...titleFields(entity), ...readableTitleFields(access)])]
  const { rows } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(entity)}
    where ${access.rows} and ${withIds(access, ids)}`.execute(databaseOf(context))
  const labelled = await labelRows(context, fields, rows.map(rowReader(access, fields, 'detail')))
  return new Map(
    labelled.map((row) => [row.id, { row, title: rowTitle(context, access, row) }] as const),
  )
}
