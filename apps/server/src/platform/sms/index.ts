import { maskPii } from '@jiaowu/api/pii'
import type { PlatformServices } from '../context.ts'
import { observeCall } from '../provider-calls.ts'
import type { Settings } from '../settings/settings.ts'
import { aliyunDriver } from './aliyun.ts'
import { requireSmsAccount, type SmsDriver, type SmsTemplate } from './driver.ts'
import { outboxDriver } from './outbox.ts'
import { tencentDriver } from './tencent.ts'

const drivers = new WeakMap<PlatformServices['settings'], SmsDriver>()

/** One row per value of SMS_DRIVER. */
const driverFactories = {
  outbox: outboxDriver,
  aliyun: (settings, now) => aliyunDriver(requireSmsAccount(settings), now),
  tencent: (settings, now) => tencentDriver(requireSmsAccount(settings), now),
} satisfies Record<Settings['smsDriver'], (settings: Settings, now: () => Date) => SmsDriver>

/** The built-in texts, each with the placeholder that one of a school has too. */
export const smsTemplates = {
  LOGIN_CODE: {
    name: '登录验证码',
    needs: '{code}',
    content: '您的登录验证码是 {code}，5 分钟内有效。',
  },
  REGISTER_CODE: {
    name: '注册验证码',
    needs: '{code}',
    content: '您的注册验证码是 {code}，5 分钟内有效。',
  },
  REGISTER_NOTICE: {
    name: '注册提醒',
    needs: '{mobile}',
    content: '手机号 {mobile} 正以您的身份注册学生服务。如非本人操作，请尽快联系教务处。',
  },
  REGISTER_APPROVED: {
    name: '注册审核通过',
    needs: '{days}',
    content: '您的手机号已通过教务处审核，请在 {days} 天内到学生服务重新提交注册。',
  },
  FLOW_NOTICE: {
    name: '流程通知',
    needs: '{text}',
    content: '{text}',
  },
} as const satisfies Readonly<
  Record<SmsTemplate, { readonly name: string; readonly needs: string; readonly content: string }>
>

/** The driver that SMS_DRIVER names. Callers with the same settings share it. */
export function smsDriverFor({
  settings,
  now,
}: Pick<PlatformServices, 'settings' | 'now'>): SmsDriver {
  const driver = drivers.get(settings) ?? driverFactories[settings.smsDriver](settings, now)
  drivers.set(settings, driver)
  return driver
}

/**
 * Sends one message and records it in SYS_SMS_TASK without the code
 * (docs/rules/security.md#sign-in). Never throws: a failure is recorded in the task, and the user
 * can request another message.
 */
export async function sendSms(
  services: PlatformServices,
  tenant: string,
  mobile: string,
  template: SmsTemplate,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await deliverSms(services, tenant, mobile, template, params)
  } catch (error) {
    services.log.error({ err: error }, 'an SMS could not be sent')
  }
}

/** As `sendSms`. Returns the failure that the task records; null when the provider took the message. */
export async function deliverSms(
  services: PlatformServices,
  tenant: string,
  mobile: string,
  template: SmsTemplate,
  params: Readonly<Record<string, string>>,
): Promise<string | null> {
  const {
    database: { kysely },
    newId,
    now,
  } = services
  const text = await loadTemplateText(services, tenant, template)
  const id = newId()
  await kysely
    .insertInto('sys.sms_task')
    .values({
      id,
      tenant_id: tenant,
      template_code: template,
      mobile: maskPii('mobile', mobile),
      content: fillTemplate(text, maskParams(params)),
    })
    .execute()
  const driver = smsDriverFor(services)
  const failure = await observeCall(services, { provider: driver.name, operation: 'send' }, () =>
    driver.send({ mobile, template, params, text: fillTemplate(text, params) }),
  ).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  )
  await kysely
    .updateTable('sys.sms_task')
    .set(
      failure === null ? { status: '1', sent_at: now().toISOString() } : { status: '2', failure },
    )
    .where('tenant_id', '=', tenant)
    .where('id', '=', id)
    .execute()
  return failure
}

/** The text of a template; the built-in one when the school has none or its own lacks the placeholder. */
async function loadTemplateText(
  { database: { kysely } }: PlatformServices,
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
  const { needs, content } = smsTemplates[template]
  return row !== undefined && row.content.includes(needs) ? row.content : content
}

/** Fills the placeholders that have a value: `{name}`. */
export function fillTemplate(text: string, params: Readonly<Record<string, string>>) {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => params[name] ?? placeholder)
}

function maskParams(params: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.keys(params).map((name) => [name, '******']))
}
