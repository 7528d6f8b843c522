import { createHash, createHmac } from 'node:crypto'
import type { SmsAccount } from '../settings/settings-gateways.ts'
import { postJson } from './post-json.ts'
import { type SmsDriver, SmsFailure, templateAt } from './driver.ts'

const [version, service, algorithm] = ['2021-01-11', 'sms', 'TC3-HMAC-SHA256']
const contentType = 'application/json; charset=utf-8'
const signedHeaders = 'content-type;host;x-tc-action'
const hashTencent = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * The Authorization header of Tencent Cloud's API 3.0, signature v3:
 * https://cloud.tencent.com/document/api/382/52072
 */
function tencentAuthorization(
  account: Pick<SmsAccount, 'keyId' | 'keySecret'>,
  host: string,
  action: string,
  body: string,
  timestamp: number,
): string {
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${contentType}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`,
    signedHeaders,
    hashTencent(body),
  ].join('\n')
  const scope = `${day}/${service}/tc3_request`
  const key = hmac(hmac(hmac(`TC3${account.keySecret}`, day), service), 'tc3_request')
  const signature = hmac(
    key,
    `${algorithm}\n${timestamp}\n${scope}\n${hashTencent(canonical)}`,
  ).toString('hex')
  return (
    `${algorithm} Credential=${account.keyId}/${scope}, ` +
    `SignedHeaders=${signedHeaders}, Signature=${signature}`
  )
}

interface Reply {
  readonly Response?: {
    readonly Error?: { readonly Code?: string }
    readonly SendStatusSet?: readonly { readonly Code?: string }[]
  }
}

/** SendSms of Tencent Cloud (腾讯云短信, 2021-01-11). */
export function tencentDriver(account: SmsAccount, now: () => Date): SmsDriver {
  return {
    name: 'tencent',
    send: async ({ mobile, template, params }) => {
      const reply = await callTencent(account, now, 'SendSms', {
        PhoneNumberSet: [`+86${mobile}`],
        SmsSdkAppId: account.appId,
        SignName: account.signName,
        TemplateId: templateAt(account, template),
        TemplateParamSet: Object.values(params),
      })
      assertOk(reply?.SendStatusSet?.[0]?.Code ?? 'NO_CODE')
    },
    check: async () => {
      // This call costs nothing: it asks about registered templates.
      await callTencent(account, now, 'DescribeSmsTemplateList', {
        International: 0,
        TemplateIdSet: Object.values(account.templates).map(Number),
      })
    },
  }
}

/** @throws SmsFailure with the provider's code */
async function callTencent(
  account: SmsAccount,
  now: () => Date,
  action: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Reply['Response']> {
  const endpoint = account.endpoint ?? 'https://sms.tencentcloudapi.com'
  const { host } = new URL(endpoint)
  const body = JSON.stringify(parameters)
  const timestamp = Math.floor(now().getTime() / 1000)
  const headers = {
    'content-type': contentType,
    host,
    'x-tc-action': action,
    'x-tc-version': version,
    'x-tc-timestamp': String(timestamp),
    'x-tc-region': account.region,
    authorization: tencentAuthorization(account, host, action, body, timestamp),
  }
  const { Response: reply } = (await postJson('tencent', `${endpoint}/`, {
    headers,
    body,
  })) as Reply
  if (reply === undefined) assertOk('NO_CODE')
  if (reply?.Error !== undefined) assertOk(reply.Error.Code ?? 'NO_CODE')
  return reply
}

function assertOk(code: string): void {
  if (code !== 'Ok') throw new SmsFailure(`tencent: ${code.slice(0, 100)}`, { code })
}
