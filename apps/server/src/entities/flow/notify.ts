// Notices that a decision sends, written in its transaction (docs/rules/contract.md#notices).
import type { FlowEffect, FlowName } from '@jiaowu/api/entity/definition/flow'
import { type Locale, locales } from '@jiaowu/api/locale'
import { schoolDay } from '@jiaowu/api/formats'
import { t } from '@jiaowu/api/texts/index'
import { listWaits, readStateKey } from '@jiaowu/machines/flow/flow'
import { isDecision } from '@jiaowu/machines/flow/parts'
import { applicantKey, buildTermKey, type FlowAddWay, isBarred } from '@jiaowu/machines/flow/people'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { entityName, type LoadedEntity } from '../../model/definition/loaded.ts'
import { addNotice } from '../../platform/notices/notices.ts'
import { fillTemplate } from '../../platform/sms/index.ts'
import type { FlowDatabase, StoredCase } from './cases.ts'
import { insertCopies } from './copy-rows.ts'
import { nameState, pick } from './names.ts'
import type { FlowAddressee, FlowRow } from './row-people.ts'

interface Decided {
  readonly entity: LoadedEntity
  /** The case and the row as the decision leaves them. */
  readonly stored: StoredCase
  readonly row: FlowRow
  readonly title: string
  readonly effects: readonly FlowEffect[]
  readonly event: FlowName
}

/** An act on the people of a step, or a copy, that its receivers are told of. */
interface HandTold {
  readonly entity: LoadedEntity
  /** The case as the act leaves it. */
  readonly stored: StoredCase
  readonly title: string
  readonly act: FlowAddWay | 'transfer' | 'copy'
  readonly whom: { readonly person: string | null; readonly role: string | null }
  readonly note: string | null
}

export async function sendHandNotice(
  trx: FlowDatabase,
  context: Context,
  { entity, stored, title, act, whom: { person, role }, note }: HandTold,
): Promise<void> {
  const { tenant, userId, name: by } = context.subject
  const receivers = await findAccounts(trx, tenant, [addressTo(person, role)])
  const build = (locale: Locale) => ({
    entity: entityName(entity, locale),
    title,
    state: nameState({ locale }, stored.flow, readStateKey(stored.flowCase)),
    by,
  })
  const kind = act === 'transfer' || act === 'copy' ? act : 'add'
  const text = (part: 'title' | 'content') =>
    locales.map((locale) => t(locale, `flow.told.${kind}.${part}`, build(locale)))
  await addNotice(trx, context, {
    tenant,
    kind: 'flow',
    key:
      act === 'copy'
        ? `copy:${stored.id}:${context.newId()}`
        : `hand:${stored.id}:${String(stored.version)}`,
    receivers: receivers.filter((id) => id !== userId),
    title: text('title').join(' / '),
    content: [...text('content'), ...(note === null || note === '' ? [] : [note])].join('\n'),
    isSms: false,
    row: { tag: entity.tag, id: stored.rowId },
  })
}

export async function sendDelegationNotice(
  trx: FlowDatabase,
  context: Context,
  {
    id,
    to,
    note,
    ...days
  }: {
    readonly id: string
    readonly to: string
    readonly from: string
    readonly until: string
    readonly note: string | null
  },
): Promise<void> {
  const { tenant, name: by } = context.subject
  const text = (part: 'title' | 'content') =>
    locales.map((locale) => t(locale, `flow.told.delegate.${part}`, { by, ...days }))
  await addNotice(trx, context, {
    tenant,
    kind: 'flow',
    key: `delegation:${id}`,
    receivers: [to],
    title: text('title').join(' / '),
    content: [...text('content'), ...(note === null ? [] : [note])].join('\n'),
    isSms: false,
    row: null,
  })
}

/** Copies that the flow sends by itself. */
async function sendFlowCopies(
  trx: FlowDatabase,
  context: Context,
  { entity, stored, row, title, effects }: Decided,
): Promise<void> {
  const { tenant } = context.subject
  const terms = effects.flatMap((effect) => ('copy' in effect ? effect.copy.who : []))
  if (terms.length === 0) return
  const { applicant } = stored.flowCase.context
  const receivers = [
    ...(applicant !== null && terms.some((term) => 'applicant' in term) ? [applicant] : []),
    ...(await findAccounts(
      trx,
      tenant,
      terms.flatMap((term) => row.people.get(buildTermKey(term)) ?? []),
    )),
  ]
  await insertCopies(trx, context, stored.id, receivers, { by: null, note: null })
  for (const person of new Set(receivers))
    await sendHandNotice(trx, context, {
      entity,
      stored,
      title,
      act: 'copy',
      whom: { person, role: null },
      note: null,
    })
}

/** Students have no account of staff: a student of a record is reached as themselves. */
const studentTag = 'EDU_STUDENT'

type NotifyEffect = Extract<FlowEffect, { notify: unknown }>['notify']

export async function sendFlowNotices(
  trx: FlowDatabase,
  context: Context,
  decided: Decided,
): Promise<void> {
  const { subject, now } = context
  const { entity, stored } = decided
  const notices = decided.effects.flatMap((effect) => ('notify' in effect ? [effect.notify] : []))
  await sendFlowCopies(trx, context, decided)
  for (const [no, notice] of notices.entries()) {
    const isReminder = notice.who === 'asked'
    const receivers = await findReceivers(trx, context, decided, notice)
    const words = await findWords(trx, context, decided, notice.template)
    const state = readStateKey(stored.flowCase)
    await addNotice(trx, context, {
      tenant: subject.tenant,
      kind: isReminder ? 'remind' : 'flow',
      // A reminder comes once a day in a state, however often it is sent.
      key: isReminder
        ? `remind:${stored.id}:${state}:${schoolDay(now())}`
        : `flow:${stored.id}:${String(stored.version)}:${String(no)}`,
      receivers: isReminder ? receivers.filter((id) => id !== subject.userId) : receivers,
      ...words,
      row: { tag: entity.tag, id: stored.rowId },
    })
  }
}

async function findReceivers(
  trx: FlowDatabase,
  { subject: { tenant } }: Context,
  { stored: { flow, flowCase }, row }: Decided,
  { who }: NotifyEffect,
): Promise<readonly string[]> {
  const { context } = flowCase
  const listPeople = (keys: readonly string[]) => keys.flatMap((key) => row.people.get(key) ?? [])
  const applicant = (keys: readonly string[]) =>
    keys.includes(applicantKey) && context.applicant !== null ? [context.applicant] : []
  if (who !== 'asked') {
    const keys = who.map(buildTermKey)
    const people = listPeople(keys)
    const students = people.flatMap(({ personTag, personId }) =>
      personTag === studentTag && personId !== null ? [personId] : [],
    )
    return [...applicant(keys), ...students, ...(await findAccounts(trx, tenant, people))]
  }
  const found: string[] = []
  for (const { part, terms, added, handed } of listWaits(flow, flowCase)) {
    const { people, path, type } = part
    // Events of the whole flow, such as voiding it, wait for no person.
    if (people === null || path === '' || !isDecision(part)) continue
    const keys = terms.map(buildTermKey).filter((key) => key !== applicantKey)
    const votes = context.votes[type] ?? []
    const ids = await findAccounts(trx, tenant, [
      ...listPeople(keys),
      ...handed.map(({ to }) => addressTo(to, null)),
      ...added.map(({ person, role }) => addressTo(person, role)),
    ])
    found.push(
      ...ids.filter((id) => !isBarred(people, { context, person: { id }, state: path, votes })),
    )
  }
  return found
}

function addressTo(userId: string | null, role: string | null): FlowAddressee {
  return { role, orgId: null, userId, personTag: null, personId: null }
}

/** The accounts of addressees. */
async function findAccounts(
  trx: FlowDatabase,
  tenant: string,
  addressees: readonly FlowAddressee[],
): Promise<readonly string[]> {
  if (addressees.length === 0) return []
  const roles = addressees.filter(({ role }) => role !== null)
  const persons = addressees.filter(({ personId }) => personId !== null)
  const { rows } = await sql<{ id: string }>`
    select u.id from sys.app_user u
    where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1' and (
      u.id = any(${addressees.flatMap(({ userId }) => userId ?? [])}::int8[])
      or (u.person_tag, u.person_id) in (
        select * from unnest(${persons.map(({ personTag }) => personTag)}::text[],
          ${persons.map(({ personId }) => personId)}::text[]))
      or exists (
        select 1 from unnest(${roles.map(({ role }) => role)}::text[],
          ${roles.map(({ orgId }) => orgId)}::int8[]) as asked (role, org_id)
        join sys.role r on r.tenant_id = ${tenant}::int8 and r.code = asked.role
          and r.deleted_at is null and r.status = '1'
        where r.id::text = any(u.role_ids) and (asked.org_id is null or asked.org_id = u.org_id)))
    order by u.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Title and content: a school's own template, in its language, or the built-in text in both. */
async function findWords(
  trx: FlowDatabase,
  { subject: { tenant, name: by } }: Context,
  { entity, stored: { flow, flowCase }, title, event }: Decided,
  template: string,
) {
  const school = (locale: Locale) => t(locale, 'flow.notice.school')
  const byWhom = (_locale: Locale) => (by === '' ? '—' : by)
  const buildParams = (locale: Locale, sender = byWhom) => ({
    entity: entityName(entity, locale),
    title,
    event: pick({ locale }, event),
    state: nameState({ locale }, flow, readStateKey(flowCase)),
    by: sender(locale),
  })
  const own = await trx
    .selectFrom('sys.sms_template')
    .select(['name', 'content'])
    .where('tenant_id', '=', tenant)
    .where('code', '=', template)
    .where('status', '=', '1')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (own !== undefined) {
    const params = buildParams('zh-CN')
    return {
      title: fillTemplate(own.name, params),
      content: fillTemplate(own.content, params),
      studentContent: fillTemplate(own.content, buildParams('zh-CN', school)),
      isSms: true,
    }
  }
  const kind = template === 'REMIND' ? 'remind' : 'notice'
  const fill = (part: 'title' | 'content', sender = byWhom) =>
    locales.map((locale) => t(locale, `flow.${kind}.${part}`, buildParams(locale, sender)))
  return {
    title: fill('title').join(' / '),
    content: fill('content').join('\n'),
    studentContent: fill('content', school).join('\n'),
    isSms: false,
  }
}
