// Tries the accounts of the settings at their providers, without a charge.
import { randomInt } from 'node:crypto'
import type { Locale } from '@jiaowu/api/locale'
import type { ProviderCheck } from '@jiaowu/api/contract/provider'
import { t } from '@jiaowu/api/texts/index'
import type { Services } from '../model/context.ts'
import { failureInWords } from '../platform/provider-words.ts'
import { SettingsError } from '../platform/settings/settings.ts'
import { smsDriverFor } from '../platform/sms/index.ts'
import { GatewayFailure } from './gateway.ts'
import { wechatGateway, type WechatGateway } from './wechat/gateway.ts'

type Checking = Pick<Services, 'settings' | 'now'>

/** Asks each provider something that costs nothing, and tells in words what is wrong. */
export async function checkProviders(services: Checking, locale: Locale): Promise<ProviderCheck[]> {
  return [...(await checkPayments(services, locale)), await checkSms(services, locale)]
}

async function checkPayments(services: Checking, locale: Locale): Promise<ProviderCheck[]> {
  const { wechat } = services.settings
  if (wechat === undefined)
    return [
      { provider: 'sandbox', operation: 'pay', ok: true, text: t(locale, 'provider.sandbox') },
    ]
  const steps = {
    query: async (gateway: WechatGateway) => {
      const { state } = await gateway.query(`JWcheck${randomInt(10 ** 9)}`)
      if (state !== 'unknown') throw new GatewayFailure(`wechat: ${state}`)
      return t(locale, 'provider.wechatQuery')
    },
    certificates: async (gateway: WechatGateway) => {
      const count = await gateway.countCertificates()
      if (count === 0 && wechat.publicKey === undefined)
        throw new GatewayFailure('wechat: no certificate', { code: 'NO_CERTIFICATE' })
      return t(locale, 'provider.wechatKeys', {
        n: count,
        id: wechat.publicKey?.id ?? t(locale, 'provider.noPublicKey'),
      })
    },
  }
  const checks: ProviderCheck[] = []
  for (const [operation, run] of Object.entries(steps))
    checks.push(
      await tryCheck('wechat', operation, locale, () => run(wechatGateway(wechat, services))),
    )
  return checks
}

async function checkSms(services: Checking, locale: Locale): Promise<ProviderCheck> {
  const { smsDriver } = services.settings
  return await tryCheck(smsDriver, 'sms', locale, async () => {
    const { check } = smsDriverFor(services)
    if (check === undefined) return t(locale, 'provider.outbox')
    await check()
    return t(locale, 'provider.smsAccount')
  })
}

/** Sends one message with the sign-in template to a number: the provider charges it as any other. */
export async function sendTestSms(
  services: Checking,
  mobile: string,
  locale: Locale,
): Promise<ProviderCheck> {
  const code = '000000'
  return await tryCheck(services.settings.smsDriver, 'send', locale, async () => {
    await smsDriverFor(services).send({
      mobile,
      template: 'LOGIN_CODE',
      params: { code },
      text: t('zh-CN', 'provider.testSms', { code }),
    })
    return t(locale, 'provider.smsSent', { mobile })
  })
}

async function tryCheck(
  provider: string,
  operation: string,
  locale: Locale,
  run: () => Promise<string>,
): Promise<ProviderCheck> {
  try {
    return { provider, operation, ok: true, text: await run() }
  } catch (error) {
    const isTold = error instanceof GatewayFailure || error instanceof SettingsError
    const text = error instanceof Error ? error.message : String(error)
    if (!isTold && !(error instanceof Error && error.name === 'SmsFailure')) throw error
    return { provider, operation, ok: false, text: failureInWords(locale, text) }
  }
}
