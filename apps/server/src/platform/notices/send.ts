// Sends notices by e-mail and SMS, each outside any transaction: a server that is killed between the sending and its
// note sends the notice once more, under the same Message-ID.
import { cutText } from '@jiaowu/api/cut-text'
import { sql } from 'kysely'
import type { PlatformServices } from '../context.ts'
import { databaseOf } from '../database/any-database.ts'
import type { JobHandler } from '../jobs/job-handler.ts'
import { drain } from '../jobs/queue.ts'
import { createTaskStore, type Task } from '../jobs/task-store.ts'
import { spend } from '../limits/budgets.ts'
import { findMailDriver } from '../mail/mail.ts'
import { observeCall } from '../provider-calls.ts'
import { readSchoolSettings } from '../settings/school-settings.ts'
import { buildSchoolBudget } from '../sms/school-budget.ts'
import { deliverSms } from '../sms/index.ts'
import { loadNoticeReceivers } from './receivers.ts'

export interface NoticeTask extends Task {
  readonly receiver_id: string
  readonly channel: 'mail' | 'sms'
  readonly title: string
  readonly content: string
}

/** The provider refused, or a budget is used up: the task is tried again later. */
class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const { store, complete } = createTaskStore<NoticeTask>({
  table: 'sys.notice_task',
  purpose: 'looking for notices to send',
  most: 8,
})

export const noticeHandler: JobHandler<NoticeTask> = {
  kind: 'notice',
  store,
  run: async (services, { job, lease }) => {
    const unsent = await senders[job.channel](services, job)
    const db = databaseOf(services)
    await complete(db, services.now(), lease, unsent)
    // The message alone keeps the words.
    await sql`
      update sys.notice_task set title = '', content = ''
      where tenant_id = ${job.tenant_id}::int8 and id = ${job.id}::int8`.execute(db)
  },
  concurrency: 4,
  pollMs: 3_000,
  renewMs: 20_000,
  mostPerRound: 500,
}

/** Sends the notices that are due. Returns how many. */
export function sendDue(services: PlatformServices): Promise<number> {
  return drain(services, noticeHandler)
}

/** Each returns why nothing was sent and never will be; undefined after sending. @throws to be tried again */
const senders = { mail: sendMail, sms: sendText } as const

async function sendMail(services: PlatformServices, task: NoticeTask): Promise<string | undefined> {
  const { settings, now } = services
  const driver = findMailDriver(settings, now)
  const { email } = await readReceiver(services, task)
  if (driver === null || email === null || email.trim() === '') return 'no address'
  await observeCall(services, { provider: driver.name, operation: 'send' }, () =>
    driver.send({
      to: email.trim(),
      subject: cutText(task.title.replaceAll(/\s+/g, ' '), 150),
      text: `${task.content}\n\n${settings.publicUrl}\n`,
      messageId: `${task.tenant_id}.${task.id}@${new URL(settings.publicUrl).hostname}`,
    }),
  ).catch((error: unknown) => {
    // A mail server that is away is no database that is away, for which the queue would wait.
    throw new NotSent(String((error as { code?: unknown }).code ?? 'MAIL'))
  })
  return undefined
}

async function sendText(services: PlatformServices, task: NoticeTask): Promise<string | undefined> {
  const { database, settings, now } = services
  const { mobile } = await readReceiver(services, task)
  if (mobile === null || mobile.trim() === '') return 'no mobile'
  const { SMS_SCHOOL_DAY } = await readSchoolSettings(database.kysely, task.tenant_id, [
    'SMS_SCHOOL_DAY',
  ])
  const budget = buildSchoolBudget(settings, task.tenant_id, SMS_SCHOOL_DAY)
  if ((await spend(database, [budget], now())) !== null) throw new NotSent('BUDGET')
  const failure = await deliverSms(services, task.tenant_id, mobile.trim(), 'FLOW_NOTICE', {
    text: cutText(task.content.split('\n')[0] ?? '', 200),
  })
  if (failure !== null) throw new NotSent('PROVIDER')
  return undefined
}

async function readReceiver({ database: { kysely } }: PlatformServices, task: NoticeTask) {
  const [receiver] = await loadNoticeReceivers(kysely, task.tenant_id, [task.receiver_id])
  return receiver ?? { email: null, mobile: null }
}
