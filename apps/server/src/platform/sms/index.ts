import type { Services } from '../../context.ts'
import { maskMobile } from '../../students/mask.ts'
import { aliyunDriver } from './aliyun.ts'
import type { SmsDriver, SmsTemplate } from './driver.ts'
import { outboxDriver } from './outbox.ts'
import { tencentDriver } from './tencent.ts'

export { SmsFailure } from './driver.ts'

const drivers = new WeakMap<Services['settings'], SmsDriver>()

/** The driver of SMS_DRIVER: one for all that share the settings. */
export function smsDriverOf(services: Services): SmsDriver {
  const known = drivers.get(services.settings) ?? createDriver(services)
  drivers.set(services.settings, known)
  return known
}

function createDriver({ settings, now }: Services): SmsDriver {
  const { smsAccount, smsDriver } = settings
  if (smsAccount === undefined) return outboxDriver(settings, now)
  return smsDriver === 'tencent' ? tencentDriver(smsAccount, now) : aliyunDriver(smsAccount, now)
}

/**
 * Sends one message and keeps its task (SYS_SMS_TASK): what was sent to whom, without the code (docs/rules/security.md#sign-in). Never throws: a message
 * that did not go is a task that failed, and the person asks for another.
 */
export async function sendSms(
  services: Services,
  tenant: string,
  mobile: string,
  template: SmsTemplate,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const {
    database: { kysely },
    newId,
    now,
    log,
  } = services
  try {
    const text = await textOf(services, tenant, template)
    const id = newId()
    await kysely
      .insertInto('sys.sms_task')
      .values({
        id,
        tenant_id: tenant,
        template_code: template,
        mobile: maskMobile(mobile),
        content: fill(text, hidden(params)),
      })
      .execute()
    const failure = await smsDriverOf(services)
      .send({ mobile, template, params, text: fill(text, params) })
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
      )
    if (failure !== null) log.warn({ failure }, 'an SMS was not sent')
    await kysely
      .updateTable('sys.sms_task')
      .set(
        failure === null ? { status: '1', sent_at: now().toISOString() } : { status: '2', failure },
      )
      .where('id', '=', id)
      .execute()
  } catch (error) {
    log.error({ err: error }, 'an SMS could not be sent')
  }
}

/** What a template says, its holes to be filled; the built-in sentence when the school has none of its own, or one that would not tell the code. */
async function textOf(
  { database: { kysely } }: Services,
  tenant: string,
  template: SmsTemplate,
): Promise<string> {
  const row = await kysely
    .selectFrom('sys.sms_template')
    .select('content')
    .where('tenant_id', '=', tenant)
    .where('code', '=', template)
    .where('status', '=', '1')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined && row.content.includes('{code}')
    ? row.content
    : '您的验证码是 {code}，5 分钟内有效。'
}

function fill(text: string, params: Readonly<Record<string, string>>) {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => params[name] ?? hole)
}

function hidden(params: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.keys(params).map((name) => [name, '******']))
}
