// Where a row is in its flow, for the caller (docs/rules/contract.md#flows).
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { Row } from '@jiaowu/api/entity/values'
import {
  compileFlow,
  type CompiledFlow,
  type FlowCase,
  type FlowOffer,
  listActive,
  listEditable,
  listTimers,
  readStateKey,
} from '@jiaowu/machines/flow/flow'
import { resolveAllowed } from '@jiaowu/machines/flow/hands'
import { isRefusedEnd } from '@jiaowu/machines/flow/parts'
import { sql } from 'kysely'
import { accessTo, type EntityAccess, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import { columnRef } from '../../model/definition/names.ts'
import { localTime } from '../../model/fields/local-time.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { selectRow, withIds } from '../read/row.ts'
import { findStateField, startUnknown } from './guard.ts'
import { loadCases, type StoredCase, withTables } from './cases.ts'
import { readLog } from './log.ts'
import { loadUserNames, nameEventType, nameState, pick } from './names.ts'
import { readDueTimes } from './timers.ts'
import {
  findAsked,
  listOwnOffers,
  listPersons,
  loadPrincipals,
  type OwnedOffer,
} from './persons.ts'
import { listFlowReads, loadFlowRow } from './row-people.ts'

/** The case of a row; a row from before the flow stands where its field says, at version 0. */
export interface KnownCase {
  readonly flow: CompiledFlow
  readonly flowCase: FlowCase
  readonly version: number
  readonly since: string | null
  readonly stored: StoredCase | null
}

export async function readFlow(
  context: Context,
  entity: LoadedEntity,
  id: string,
): Promise<FlowStateAnswer> {
  const access = await accessTo(context, entity, 'view')
  const db = databaseOf(context)
  if ((await selectRow(db, access, [], id)) === undefined) throw notFound()
  const row = await selectRow(
    db,
    wholeAccess(entity, context.subject.tenant),
    readableFields(entity),
    id,
    'stored',
  )
  if (row === undefined) throw notFound()
  return (await readCase(context, entity, row, false)).answer
}

/**
 * The case of a row, as the caller may deal with it.
 * @param row as it is stored @param isReader who only reads it, and may do nothing
 */
export async function readCase(
  context: Context,
  entity: LoadedEntity,
  row: Row,
  isReader: boolean,
): Promise<{ readonly known: KnownCase; readonly answer: FlowStateAnswer }> {
  const db = databaseOf(context)
  const known = await findCase(db, context, entity, row)
  const { flow, flowCase } = known
  const isGone = entity.definition.options.flow === undefined
  const people = await loadFlowRow(
    db,
    context.subject.tenant,
    flow,
    listFlowReads(context, entity, flow),
    row,
  )
  const principals = await loadPrincipals(db, context)
  const persons = listPersons(context, principals, entity.tag, people, flowCase)
  const isIdle = isGone || isReader
  const offers = isIdle ? [] : listOwnOffers(flow, flowCase, persons, people)
  const tasks = isIdle || flowCase.isDone ? [] : listTasks(context, flow, flowCase, persons)
  const key = readStateKey(flowCase)
  const { applicant } = flowCase.context
  const state = flow.parts.states.get(key)?.state
  const names = await loadUserNames(context, applicant === null ? [] : [applicant])
  const due = await readDue(context, known.stored)
  const documents = await readDocuments(context, known.stored)
  const answer: FlowStateAnswer = {
    state: key,
    name: nameState(context, flow, key),
    ...(state?.tone !== undefined && { tone: state.tone }),
    isDone: flowCase.isDone,
    active: listActive(flowCase).map((path) => ({ path, name: nameState(context, flow, path) })),
    since: known.since === null ? null : localTime(new Date(known.since)),
    ...(due !== undefined && { due: localTime(due) }),
    applicant:
      applicant === null ? null : { id: applicant, name: names.get(applicant) ?? applicant },
    can: nameOffers(context, flow, offers),
    log:
      known.stored === null ? [] : (await readLog(context, known.stored)).map(({ line }) => line),
    ...(known.stored === null || flowCase.isDone
      ? { open: [], next: [] }
      : await readOpen(context, known.stored)),
    ...(documents.length > 0 && { documents }),
    edit: isIdle ? [] : [...listEditable(flow, flowCase)],
    tasks,
    copy:
      !isIdle &&
      context.subject.kind === 'staff' &&
      mayCopy({ flow, flowCase, userId: context.subject.userId, isAsked: tasks.length > 0 }),
    version: buildVersion(known.version, row),
  }
  return { known, answer }
}

/** The applicant, deciders, and those whom a step waits for, where its state allows it. */
export function mayCopy({
  flow,
  flowCase,
  userId,
  isAsked,
}: {
  readonly flow: CompiledFlow
  readonly flowCase: FlowCase
  readonly userId: string
  /** Whether a step waits for the person. */
  readonly isAsked: boolean
}): boolean {
  const { applicant, decided } = flowCase.context
  return (
    listActive(flowCase).some((path) => resolveAllowed(flow.parts, path).copy) &&
    (isAsked || applicant === userId || decided.some(({ by }) => by === userId))
  )
}

/** The steps that wait for the caller, and how they may share them. */
export function listTasks(
  context: Pick<Context, 'locale'>,
  flow: CompiledFlow,
  flowCase: FlowCase,
  persons: ReturnType<typeof listPersons>,
): FlowStateAnswer['tasks'] {
  return listActive(flowCase).flatMap((path) => {
    const { transfer, add } = resolveAllowed(flow.parts, path)
    return findAsked(flow, flowCase, path, persons) === undefined
      ? []
      : [{ path, name: nameState(context, flow, path), transfer, add: [...add] }]
  })
}

/** The documents that the case has issued, whether they are drawn yet or not. */
async function readDocuments(
  { database: { kysely }, subject }: Context,
  stored: StoredCase | null,
): Promise<NonNullable<FlowStateAnswer['documents']>> {
  if (stored?.flow.parts.flow.documents === undefined) return []
  const rows = await kysely
    .selectFrom('sys.document')
    .select(['number', 'content', 'issued_at', 'revoked_at'])
    .where('tenant_id', '=', subject.tenant)
    .where('case_id', '=', stored.id)
    .orderBy('issued_at')
    .orderBy('id')
    .execute()
  return rows.map(({ number, content, issued_at, revoked_at }) => ({
    number,
    name: content.reportName,
    issuedAt: localTime(new Date(issued_at)),
    revokedAt: revoked_at === null ? null : localTime(new Date(revoked_at)),
  }))
}

/** The id of the case of a row that the caller may read. @throws Refusal 403, 404 */
export async function findOwnCase(
  context: Context,
  entity: LoadedEntity,
  id: string,
): Promise<string> {
  const access = await accessTo(context, entity, 'view')
  const db = databaseOf(context)
  if ((await selectRow(db, access, [], id)) === undefined) throw notFound()
  const cases = await loadCases(withTables(db), context.subject.tenant, entity, [id])
  const stored = cases.get(id)
  if (stored === undefined) throw notFound()
  return stored.id
}

/** Offers as they are answered, in the language of the caller. */
export function nameOffers(
  context: Pick<Context, 'locale'>,
  flow: CompiledFlow,
  offers: readonly OwnedOffer[],
): FlowStateAnswer['can'] {
  return forwardFirst(flow, offers).map(({ name, event, part, principal }) => ({
    event: name,
    name: pick(context, event.name),
    ask: (event.ask ?? []).map(({ attrName, required }) => ({ attrName, required })),
    note: event.note ?? null,
    ...(principal !== null && { for: { id: principal.userId, name: principal.name } }),
    ...(part.target !== null && isRefusedEnd(flow.parts, part.target) && { isRefusal: true }),
  }))
}

async function readDue(
  { database: { kysely }, subject }: Context,
  stored: StoredCase | null,
): Promise<Date | undefined> {
  // Most flows have no timers, and most cases are over.
  if (stored === null || listTimers(stored.flow, stored.flowCase).length === 0) return undefined
  return (await readDueTimes(kysely, subject.tenant, [stored.id])).get(stored.id)
}

/** The database keeps no order of events: what leads on comes first, then back, then to a refusal. */
function forwardFirst<T extends Pick<FlowOffer, 'part'>>(
  { parts }: CompiledFlow,
  offers: readonly T[],
): readonly T[] {
  const rank = ({ part: { target } }: T) => {
    return target !== null && isRefusedEnd(parts, target)
      ? 3
      : target === parts.flow.initial
        ? 2
        : target === null
          ? 1
          : 0
  }
  return offers.toSorted((a, b) => rank(a) - rank(b))
}

/** Both the case and the row must be as the decider has seen them. */
export function buildVersion(version: number, row: Row): string {
  return `${String(version)}.${String(row.version ?? 0)}`
}

/** @throws Refusal 404 for an entity that never had a flow */
export async function findCase(
  db: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
  row: Row,
  isLocked = false,
): Promise<KnownCase> {
  const cases = await loadCases(withTables(db), context.subject.tenant, entity, [row.id], isLocked)
  const stored = cases.get(row.id)
  if (stored !== undefined)
    return {
      flow: stored.flow,
      flowCase: stored.flowCase,
      version: stored.version,
      since: stored.since,
      stored,
    }
  const { flow } = entity.definition.options
  if (flow === undefined) throw new Refusal(404, { key: 'flow.none' })
  const applicant = await readCreator(db, wholeAccess(entity, context.subject.tenant), row.id)
  return {
    flow: compileFlow(flow),
    flowCase: startUnknown(entity, findStateField(entity, entity), row, applicant),
    version: 0,
    since: null,
    stored: null,
  }
}

async function readCreator(
  db: AnyDatabase,
  access: EntityAccess,
  id: string,
): Promise<string | null> {
  if (!access.entity.has('create_user')) return null
  const { rows } = await sql<{ user_id: string | null }>`
    select ${columnRef('create_user')}::text as user_id from ${fromTable(access.entity)}
    where ${withIds(access, [id])}`.execute(db)
  return rows[0]?.user_id ?? null
}

/** The people that the case waits for, by name, and what they can decide. */
async function readOpen(
  context: Context,
  { id, flow, flowCase }: StoredCase,
): Promise<Pick<FlowStateAnswer, 'open' | 'next'>> {
  const { subject, locale } = context
  const isOfStudent = subject.kind === 'student'
  const { rows: all } = await sql<{
    event: string
    path: string
    person: string | null
    since: string
    role: string | null
    user_id: string | null
    role_name: string | null
    role_name_en: string | null
    org_name: string | null
    user_name: string | null
    person_name: string | null
  }>`
    select t.event, t.path, t.since, t.role, t.user_id, r.name as role_name, r.name_en as role_name_en,
      o.name as org_name, coalesce(u.name, s.name) as user_name, p.name as person_name, p.id as person
    from sys.flow_todo t
    left join sys.role r on r.tenant_id = t.tenant_id and r.code = t.role and r.deleted_at is null
    left join sys.org o on o.tenant_id = t.tenant_id and o.id = t.org_id
    left join sys.app_user u on u.tenant_id = t.tenant_id and u.id = t.user_id
    left join biz.student s on s.tenant_id = t.tenant_id and s.id = t.user_id
    left join sys.app_user p on p.tenant_id = t.tenant_id and p.person_tag = t.person_tag
      and p.person_id = t.person_id and p.deleted_at is null
    where t.tenant_id = ${subject.tenant}::int8 and t.case_id = ${id}::int8
    order by t.no`.execute(context.database.untyped)
  const handed = flowCase.context.handed ?? []
  // Whoever is named by a record, and has handed the task over, is waited for no more; a student is not told to
  // wait for himself.
  const rows = all.filter(
    ({ path, person, user_id }) =>
      !handed.some((each) => each.state === path && each.from === person) &&
      !(isOfStudent && user_id === subject.userId),
  )
  const found = rows.map((row) => {
    const role = (locale === 'en' ? row.role_name_en : null) ?? row.role_name ?? row.role
    // Students are told offices, not people.
    const office = role ?? nameState(context, flow, row.path)
    const who = isOfStudent ? office : (row.user_name ?? row.person_name ?? role ?? '—')
    const place =
      row.org_name === null ? '' : locale === 'en' ? ` (${row.org_name})` : `（${row.org_name}）`
    return {
      who: `${who}${place}`,
      event: nameEventType(context, flow, row.event),
      since: localTime(new Date(row.since)),
      path: row.path,
    }
  })
  const types = new Set(rows.map((row) => row.event))
  const asked = flow.parts.events.flatMap((part) => (types.has(part.type) ? [{ part }] : []))
  const next = forwardFirst(flow, asked).flatMap(({ part: { path, event, target } }) =>
    event === null
      ? []
      : [
          {
            path,
            event: pick(context, event.name),
            to: target === null ? null : nameState(context, flow, target),
          },
        ],
  )
  // Several events of one state wait for the same people.
  const people = new Map(found.toReversed().map((each) => [`${each.path} ${each.who}`, each]))
  return { open: [...people.values()].toReversed(), next }
}
