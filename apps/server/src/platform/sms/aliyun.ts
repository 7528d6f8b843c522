import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { SmsAccount } from '../settings/settings-gateways.ts'
import { postJson } from './post-json.ts'
import { type SmsDriver, SmsFailure, templateAt } from './driver.ts'

const [version, algorithm] = ['2017-05-25', 'ACS3-HMAC-SHA256']
const hashHex = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The Authorization header of Alibaba Cloud's V3 signature:
 * https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 */
function aliyunAuthorization(
  account: Pick<SmsAccount, 'keyId' | 'keySecret'>,
  method: string,
  query: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const names = Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .sort()
  const canonicalHeaders = names.map((name) => `${name}:${(headers[name] ?? '').trim()}\n`).join('')
  const canonical = [method, '/', query, canonicalHeaders, names.join(';'), hashHex(body)].join(
    '\n',
  )
  const signature = createHmac('sha256', account.keySecret)
    .update(`${algorithm}\n${hashHex(canonical)}`)
    .digest('hex')
  return `${algorithm} Credential=${account.keyId},SignedHeaders=${names.join(';')},Signature=${signature}`
}

/** SendSms of Alibaba Cloud (阿里云短信服务, 2017-05-25). */
export function aliyunDriver(account: SmsAccount, now: () => Date): SmsDriver {
  return {
    name: 'aliyun',
    send: async ({ mobile, template, params }) =>
      callAliyun(account, now, 'SendSms', {
        PhoneNumbers: mobile,
        SignName: account.signName,
        TemplateCode: templateAt(account, template),
        TemplateParam: JSON.stringify(params),
      }),
    check: async () => {
      // These calls cost nothing: both ask about registered texts.
      await callAliyun(account, now, 'QuerySmsSign', { SignName: account.signName })
      for (const code of Object.values(account.templates))
        await callAliyun(account, now, 'QuerySmsTemplate', { TemplateCode: code })
    },
  }
}

/** @throws SmsFailure with the provider's code */
async function callAliyun(
  account: SmsAccount,
  now: () => Date,
  action: string,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const endpoint = account.endpoint ?? 'https://dysmsapi.aliyuncs.com'
  const query = buildQueryString(params)
  const headers = {
    host: new URL(endpoint).host,
    'x-acs-action': action,
    'x-acs-version': version,
    'x-acs-date': `${now().toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': randomUUID(),
    'x-acs-content-sha256': hashHex(''),
  }
  // The parameters stand in the address: a body, even an empty one, would bring a content-type to sign.
  const reply = await postJson('aliyun', `${endpoint}/?${query}`, {
    headers: {
      ...headers,
      authorization: aliyunAuthorization(account, 'POST', query, headers, ''),
    },
  })
  if (reply.Code === 'OK') return
  const code = String(reply.Code ?? 'NO_CODE').slice(0, 100)
  throw new SmsFailure(`aliyun: ${code}`, { code })
}

function buildQueryString(params: Readonly<Record<string, string>>) {
  return Object.entries(params)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
}

/** Percent-encoding of RFC 3986, which encodes more characters than encodeURIComponent. */
function encode(text: string) {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
