// The cases that wait for the caller, that they began, or that they decided in.
import type { FlowTodo, FlowTodoPage, TodoKind, TodoOrder } from '@jiaowu/api/contract/entity/flow'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { compileFlow, type CompiledFlow, type FlowCase } from '@jiaowu/machines/flow/flow'
import { resolveAllowed } from '@jiaowu/machines/flow/hands'
import { isBarred } from '@jiaowu/machines/flow/people'
import { type RawBuilder, sql } from 'kysely'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { entityName, type LoadedEntity } from '../../model/definition/loaded.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { Refusal } from '../../platform/refusal.ts'
import { readableTitleFields, titleFields } from '../read/titles.ts'
import { loadPrincipals, type Principal } from './persons.ts'
import { loadUserNames, nameState } from './names.ts'
import { buildVersion } from './read.ts'
import { identifyPerson } from './row-people.ts'
import { loadOpenTitles, loadTitledRows } from './row-title.ts'
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
  /** The events that wait for the caller, then for each principal, in `open`. */
  readonly events: readonly (readonly string[] | null)[] | null
  readonly copy_id: string | null
  readonly copy_by: string | null
  readonly copy_at: string | null
  readonly copy_read_at: string | null
}

interface TodoQuery {
  readonly mine: TodoKind
  readonly tag?: string | undefined
  readonly order?: TodoOrder | undefined
  /** Days. */
  readonly dueWithin?: number | undefined
  readonly pageSize: number
  readonly pageNum: number
}

export async function pageTodos(context: Context, query: TodoQuery): Promise<FlowTodoPage> {
  const { mine, pageSize, pageNum } = query
  const principals = mine === 'open' ? await loadPrincipals(context.database.kysely, context) : []
  const found = await findCases(context, query, principals)
  const flows = await loadFlows(context, found)
  const waiting = found.filter((each) => {
    const flow = flows.get(each.revision_id)
    return flow !== undefined && (mine !== 'open' || isTheirs(context, flow, each, principals))
  })
  const titles =
    mine === 'copied' ? await loadCopyTitles(context, waiting) : await loadTitles(context, waiting)
  const visible = waiting.filter(({ id }) => titles.has(id))
  const shown = visible.slice((pageNum - 1) * pageSize, pageNum * pageSize)
  const names = await loadUserNames(
    context,
    shown.flatMap(({ applicant_id, copy_by }) =>
      [applicant_id, copy_by].filter((id) => id !== null),
    ),
  )
  const offers = mine === 'open' ? await loadOffers(context, flows, shown, principals) : new Map()
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
          ...(each.copy_id !== null &&
            each.copy_at !== null && {
              copy: {
                id: each.copy_id,
                by: each.copy_by === null ? null : (names.get(each.copy_by) ?? each.copy_by),
                at: localTime(new Date(each.copy_at)),
                isRead: each.copy_read_at !== null,
              },
            }),
        },
      ]
    }),
    total: visible.length,
    size: pageSize,
    current: pageNum,
    entities: await listEntities(context, mine, principals),
  }
}

/** Entities with cases of the kind that the caller may view. */
async function listEntities(
  context: Context,
  mine: TodoKind,
  principals: readonly Principal[],
): Promise<FlowTodoPage['entities']> {
  const { rows } = await sql<{ tag: string }>`
    select distinct c.tag from sys.flow_case c
    where c.tenant_id = ${context.subject.tenant}::int8 and ${belongsTo(context, mine, principals)}
    order by c.tag`.execute(context.database.untyped)
  const found: { tag: string; name: string }[] = []
  for (const { tag } of rows) {
    const entity = await context.registry.find(context.subject.tenant, tag)
    if (entity !== undefined && (mine === 'copied' || (await findAccess(context, entity)) !== null))
      found.push({ tag, name: entityName(entity, context.locale) })
  }
  return found
}

async function findCases(
  context: Context,
  { mine, tag, order = 'since', dueWithin }: TodoQuery,
  principals: readonly Principal[],
): Promise<readonly Found[]> {
  const { database, subject } = context
  const due = selectDue(subject.tenant)
  const { rows } = await sql<Found>`
    select c.id, c.tag, c.row_id, c.state, c.is_done, c.applicant_id, c.version, c.facts, c.revision_id,
      c.since, ${mine === 'open' ? sql`jsonb_build_array(${selectAllEvents(context, principals, sql`, `)})` : sql`null::jsonb`} as events,
      y.id as copy_id, y.by_id as copy_by, y.at as copy_at, y.read_at as copy_read_at
    from sys.flow_case c
    left join sys.flow_copy y on y.tenant_id = c.tenant_id and y.case_id = c.id
      and y.tenant_id = ${subject.tenant}::int8 and y.user_id = ${subject.userId}::int8
      and ${mine === 'copied'}::bool
    where c.tenant_id = ${subject.tenant}::int8 and ${belongsTo(context, mine, principals)}
      ${tag === undefined ? sql`` : sql`and c.tag = ${tag}::text`}
      ${dueWithin === undefined ? sql`` : sql`and not c.is_done and ${due} < ${addDays(context.now(), dueWithin)}::timestamptz`}
    order by ${order === 'due' ? sql`${due} asc nulls last, ` : sql``}${mine === 'copied' ? sql`y.read_at is not null, y.at desc` : sql`c.since desc`}, c.id desc
    limit ${most}`.execute(database.untyped)
  return rows
}

/** When the next timer of a case `c` ends; null without one. */
function selectDue(tenant: string): RawBuilder<unknown> {
  return sql`(select min(w.next_at) from sys.flow_timer w
    where w.tenant_id = ${tenant}::int8 and w.case_id = c.id and w.done_at is null)`
}

const dayMs = 86_400_000
function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}

/** The condition on a case `c` to be of the kind for the caller. */
function belongsTo(
  context: Context,
  mine: TodoKind,
  principals: readonly Principal[],
): RawBuilder<unknown> {
  const { tenant, userId } = context.subject
  const kinds: Readonly<Record<TodoKind, RawBuilder<unknown>>> = {
    open: sql`not c.is_done and coalesce(${selectAllEvents(context, principals, sql`, `)}) is not null`,
    started: sql`c.applicant_id = ${userId}::int8`,
    decided: sql`c.applicant_id is distinct from ${userId}::int8 and exists (
      select 1 from sys.flow_decision d
      where d.tenant_id = ${tenant}::int8 and d.case_id = c.id
        and (d.user_id = ${userId}::int8 or d.for_id = ${userId}::int8))`,
    copied: sql`exists (
      select 1 from sys.flow_copy m
      where m.tenant_id = ${tenant}::int8 and m.case_id = c.id and m.user_id = ${userId}::int8)`,
  }
  return kinds[mine]
}

/** The events of a case `c` that wait for the caller, then for each principal. */
function selectAllEvents(
  { subject }: Context,
  principals: readonly Principal[],
  separator: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const all = [
    sql`(${selectEvents(subject.tenant, subject)})`,
    ...principals.map((principal) =>
      principal.tags.length === 0
        ? sql`(${selectEvents(subject.tenant, principal)})`
        : sql`(case when c.tag = any(${[...principal.tags]}::text[])
            then (${selectEvents(subject.tenant, principal)}) end)`,
    ),
  ]
  return sql.join(all, separator)
}

/** The events of a case `c` that wait for the person; null without one. */
function selectEvents(
  tenant: string,
  { userId, roles, org, person }: Pick<Principal, 'userId' | 'roles' | 'org' | 'person'>,
): RawBuilder<unknown> {
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
  principals: readonly Principal[],
): boolean {
  const { applicant } = context
  const id = identifyPerson(subject, applicant)
  const persons = [
    { id },
    ...principals.map((each) => ({ id, for: identifyPerson(each, applicant) })),
  ]
  return persons.some((person, i) =>
    (events?.[i] ?? []).some((type) =>
      parts.events.some(
        ({ type: each, people, path }) =>
          each === type &&
          people !== null &&
          (i === 0 || resolveAllowed(parts, path).substitute) &&
          !isBarred(people, { context, person, state: path, votes: context.votes[type] ?? [] }),
      ),
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
    addTitles(titles, entityName(entity, context.locale), cases, rows)
  }
  return titles
}

/** By the id of the case. A row that is not among those found has none. */
function addTitles(
  titles: Map<string, Title>,
  entity: string,
  cases: readonly Found[],
  rows: Awaited<ReturnType<typeof loadTitledRows>>,
): void {
  for (const { id, row_id, version } of cases) {
    const found = rows.get(row_id)
    if (found !== undefined)
      titles.set(id, { entity, title: found.title, version: buildVersion(version, found.row) })
  }
}

/** As `loadTitles`; a copy shows the title of its case to those who may not view the record, too. */
async function loadCopyTitles(
  context: Context,
  found: readonly Found[],
): Promise<ReadonlyMap<string, Title>> {
  const titles = new Map(await loadTitles(context, found))
  const { tenant } = context.subject
  const others = found.filter(({ id }) => !titles.has(id))
  for (const [tag, cases] of Map.groupBy(others, (each) => each.tag)) {
    const entity = await context.registry.find(tenant, tag)
    if (entity === undefined) continue
    const rows = await loadOpenTitles(
      context,
      entity,
      cases.map(({ row_id }) => row_id),
    )
    addTitles(titles, entityName(entity, context.locale), cases, rows)
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
  return await loadTitledRows(context, access, fields, ids)
}
