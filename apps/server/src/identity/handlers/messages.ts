import { sql } from 'kysely'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { isId } from '../../platform/id.ts'
import { notFound } from '../../platform/refusal.ts'

const maxMessages = 50
const [unreadStatus, readStatus] = ['0', '1'] // dictionary messageStatus

export const messagesHandlers: ServerHandlers['messages'] = {
  mine: async (_input, context) => {
    const rows = await ownMessages(context)
      .leftJoin('sys.app_user as u', (join) =>
        join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.create_user'),
      )
      .select(['m.id', 'm.title', 'm.content', 'm.create_time', 'm.read_at', 'u.name as sender'])
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
