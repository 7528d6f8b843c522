import { type Message, t } from '@jiaowu/api/texts/index'
import type { Kysely } from 'kysely'
import type { PlatformServices } from './context.ts'
import type { Tables } from './database/tables/tables.ts'

/** A message of the system to users of one tenant; the bell of the console shows it. */
export interface SystemMessage {
  readonly tenant: string
  readonly receivers: readonly string[]
  readonly title: string
  readonly content: string
}

export async function sendMessage(
  db: Kysely<Tables>,
  { newId, now }: Pick<PlatformServices, 'newId' | 'now'>,
  { tenant, receivers, title, content }: SystemMessage,
): Promise<void> {
  if (receivers.length === 0) return
  await db
    .insertInto('sys.message')
    .values(
      receivers.map((receiver_id) => ({
        id: newId(),
        tenant_id: tenant,
        receiver_id,
        title,
        content,
        create_time: now(),
        update_time: now(),
      })),
    )
    .execute()
}

/** The system does not know the language of an account that is not asking, so it writes both. */
export function bothLanguages(
  title: Message['key'],
  content: Message['key'],
  params: Message['params'] = {},
): Pick<SystemMessage, 'title' | 'content'> {
  return {
    title: `${t('zh-CN', title, params)} / ${t('en', title, params)}`,
    content: `${t('zh-CN', content, params)}\n${t('en', content, params)}`,
  }
}
