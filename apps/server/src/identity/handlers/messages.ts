import { chosenKinds, noticeChannels } from '@jiaowu/api/contract/message'
import { sql } from 'kysely'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { findMailDriver } from '../../platform/mail/mail.ts'
import { listOpenWays } from '../../platform/notices/notices.ts'
import { loadNoticeReceivers } from '../../platform/notices/receivers.ts'
import { isId } from '../../platform/id.ts'
import { notFound } from '../../platform/refusal.ts'

const maxMessages = 50
const [unreadStatus, readStatus] = ['0', '1'] // dictionary messageStatus

export const messagesHandlers: ServerHandlers['messages'] = {
  mine: async ({ query: { unread, kind } }, context) => {
    const rows = await ownMessages(context)
      .leftJoin('sys.app_user as u', (join) =>
        join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.create_user'),
      )
      .select(['m.id', 'm.title', 'm.content', 'm.create_time', 'm.read_at', 'u.name as sender'])
      .select(['m.kind', 'm.tag', 'm.row_id'])
      .$if(unread === '1', (query) => query.where('m.status', '=', unreadStatus))
      .$if(kind !== undefined, (query) => query.where('m.kind', '=', kind ?? 'system'))
      .orderBy('m.id', 'desc')
      .limit(maxMessages)
      .execute()
    const records = rows.map((row) => ({
      id: row.id,
      title: row.title,
      content: row.content ?? '',
      sender: row.sender,
      createTime: new Date(row.create_time).toISOString(),
      readAt: row.read_at === null ? null : new Date(row.read_at).toISOString(),
      kind: row.kind,
      row: row.tag === null || row.row_id === null ? null : { tag: row.tag, id: row.row_id },
    }))
    return { unread: await countUnread(context), records }
  },
  read: async ({ params: { id } }, context) => {
    const {
      database: { kysely },
      subject,
      now,
    } = context
    if (id !== 'all' && !isId(id)) throw notFound()
    const found = await kysely
      .updateTable('sys.message')
      .set({ status: readStatus, read_at: now().toISOString(), version: sql`version + 1` })
      .where('tenant_id', '=', subject.tenant)
      .where('receiver_id', '=', subject.userId)
      .where('deleted_at', 'is', null)
      .where('status', '=', unreadStatus)
      .$if(id !== 'all', (query) => query.where('id', '=', id))
      .returning('id')
      .execute()
    const isOwn =
      id === 'all' ||
      found.length > 0 ||
      (await ownMessages(context).where('m.id', '=', id).select('m.id').executeTakeFirst()) !==
        undefined
    if (!isOwn) throw notFound()
    return { unread: await countUnread(context) }
  },
  choices: (_input, context) => readChoices(context),
  choose: async ({ body: { choices } }, context) => {
    const { database, subject } = context
    await transact(database.kysely, async (trx) => {
      for (const { kind, channel, isOn } of choices)
        await trx
          .insertInto('sys.notice_choice')
          .values({
            tenant_id: subject.tenant,
            user_id: subject.userId,
            kind,
            channel,
            is_on: isOn,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['tenant_id', 'user_id', 'kind', 'channel'])
              .doUpdateSet({ is_on: isOn }),
          )
          .execute()
    })
    return await readChoices(context)
  },
}

async function readChoices({ database: { kysely }, settings, now, subject }: Context) {
  const [receiver] = await loadNoticeReceivers(kysely, subject.tenant, [subject.userId])
  if (receiver === undefined) throw notFound()
  const rows = await kysely
    .selectFrom('sys.notice_choice')
    .select(['kind', 'channel'])
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
    .where('is_on', '=', false)
    .execute()
  const off = new Set(rows.map(({ kind, channel }) => `${kind} ${channel}`))
  return {
    choices: chosenKinds.flatMap((kind) =>
      noticeChannels.map((channel) => ({ kind, channel, isOn: !off.has(`${kind} ${channel}`) })),
    ),
    open: [...listOpenWays(receiver, findMailDriver(settings, now) !== null)],
  }
}

function ownMessages({ database: { kysely }, subject }: Context) {
  return kysely
    .selectFrom('sys.message as m')
    .where('m.tenant_id', '=', subject.tenant)
    .where('m.receiver_id', '=', subject.userId)
    .where('m.deleted_at', 'is', null)
}

async function countUnread(context: Context): Promise<number> {
  return Number(
    (
      await ownMessages(context)
        .where('m.status', '=', unreadStatus)
        .select((e) => e.fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
}
