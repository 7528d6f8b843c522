// Notices to people about one event: a message for the bell, and tasks for e-mail and SMS
// (docs/rules/contract.md#notices). One per person, event and way, whatever is repeated.
import { type NoticeChannel, noticeChannels, type NoticeKind } from '@jiaowu/api/contract/message'
import type { Kysely } from 'kysely'
import type { PlatformServices } from '../context.ts'
import type { Tables } from '../database/tables/tables.ts'
import { findMailDriver } from '../mail/mail.ts'
import { loadNoticeReceivers, type NoticeReceiver } from './receivers.ts'

export interface Notice {
  readonly tenant: string
  readonly kind: NoticeKind
  /** Names the event in its school, at most 200 characters. */
  readonly key: string
  readonly receivers: readonly string[]
  readonly title: string
  readonly content: string
  /** For students, who learn of offices, not of people; without it they get `content`. */
  readonly studentContent?: string
  /** Whether it may go by SMS, which costs money. */
  readonly isSms: boolean
  /** The record that it tells of, if any. */
  readonly row: { readonly tag: string; readonly id: string } | null
}

type Services = Pick<PlatformServices, 'newId' | 'now' | 'settings'>

const chunk = 500

/** Writes the notice for its receivers. Wake the queue `notice` after the commit. */
export async function addNotice(
  db: Kysely<Tables>,
  services: Services,
  notice: Notice,
): Promise<void> {
  const receivers = [...new Set(notice.receivers)]
  for (let from = 0; from < receivers.length; from += chunk)
    await addChunk(db, services, { ...notice, receivers: receivers.slice(from, from + chunk) })
}

async function addChunk(db: Kysely<Tables>, services: Services, notice: Notice): Promise<void> {
  const { newId, now } = services
  const { tenant, kind, key, title, content, studentContent = content, row } = notice
  const people = await loadNoticeReceivers(db, tenant, notice.receivers)
  const students = new Set(people.flatMap(({ id, isStudent }) => (isStudent ? [id] : [])))
  const contentFor = (id: string) => (students.has(id) ? studentContent : content)
  const ways = await findWays(db, services, notice, people)
  const receiversBy = (channel: NoticeChannel) =>
    [...ways].flatMap(([id, channels]) => (channels.has(channel) ? [id] : []))
  const messages = receiversBy('message')
  if (messages.length > 0)
    await db
      .insertInto('sys.message')
      .values(
        messages.map((receiver_id) => ({
          id: newId(),
          tenant_id: tenant,
          receiver_id,
          title,
          content: contentFor(receiver_id),
          kind,
          tag: row?.tag ?? null,
          row_id: row?.id ?? null,
          event_key: key,
          create_time: now(),
          update_time: now(),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'receiver_id', 'event_key'])
          .where('event_key', 'is not', null)
          .doNothing(),
      )
      .execute()
  const tasks = (['mail', 'sms'] as const).flatMap((channel) =>
    receiversBy(channel).map((receiver_id) => ({
      id: newId(),
      tenant_id: tenant,
      receiver_id,
      event_key: key,
      channel,
      title,
      content: contentFor(receiver_id),
      next_at: now(),
      failure: null,
    })),
  )
  if (tasks.length === 0) return
  await db
    .insertInto('sys.notice_task')
    .values(tasks)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'receiver_id', 'event_key', 'channel']).doNothing(),
    )
    .execute()
}

/** The ways by which each receiver gets the notice: those open to them, without those they switched off. */
async function findWays(
  db: Kysely<Tables>,
  { settings, now }: Services,
  { tenant, kind, receivers, isSms }: Notice,
  people: readonly NoticeReceiver[],
): Promise<ReadonlyMap<string, ReadonlySet<NoticeChannel>>> {
  const choices = await db
    .selectFrom('sys.notice_choice')
    .select(['user_id', 'channel'])
    .where('tenant_id', '=', tenant)
    .where('user_id', 'in', [...receivers])
    .where('kind', '=', kind)
    .where('is_on', '=', false)
    .execute()
  const off = new Set(choices.map(({ user_id, channel }) => `${user_id} ${channel}`))
  const hasMail = findMailDriver(settings, now) !== null
  return new Map(
    people.map((person) => {
      const open = listOpenWays(person, hasMail)
      return [
        person.id,
        new Set(open.filter((way) => !off.has(`${person.id} ${way}`) && (way !== 'sms' || isSms))),
      ]
    }),
  )
}

/** Ways that a person can be reached by. */
export function listOpenWays(
  { email, mobile }: { readonly email: string | null; readonly mobile: string | null },
  hasMail: boolean,
): readonly NoticeChannel[] {
  return noticeChannels.filter(
    (way) =>
      way === 'message' || (way === 'mail' ? hasMail && isReachable(email) : isReachable(mobile)),
  )
}

function isReachable(text: string | null): boolean {
  return text !== null && text.trim() !== ''
}
