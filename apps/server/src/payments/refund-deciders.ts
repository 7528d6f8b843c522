import { adminRole } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { type Message, t } from '@jiaowu/api/texts/index'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../platform/database/tables/tables.ts'
import type { SystemMessage } from '../platform/messages.ts'

/** The ids of the active users of a school who may request and decide on refunds. */
export async function refundDeciders(db: Kysely<Tables>, tenant: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.id::text as id from sys.app_user u
    join sys.role r on r.tenant_id = u.tenant_id and r.id::text = any(u.role_ids)
    where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1'
      and r.deleted_at is null and r.status = '1' and (r.code = ${adminRole} or exists (
        select 1 from sys.role_permission p where p.tenant_id = ${tenant}::int8
          and p.role_id = r.id and p.code = 'pay:refund'))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Both languages, as `bothLanguages` of messages, with values that depend on the language. */
export function inBothLanguages(
  title: Message['key'],
  content: Message['key'],
  params: (locale: Locale) => NonNullable<Message['params']>,
): Pick<SystemMessage, 'title' | 'content'> {
  const [zh, en] = (['zh-CN', 'en'] as const).map((locale) => ({
    title: t(locale, title, params(locale)),
    content: t(locale, content, params(locale)),
  }))
  return {
    title: `${zh?.title} / ${en?.title}`,
    content: `${zh?.content}\n${en?.content}`,
  }
}
