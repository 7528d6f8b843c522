// Settings of SMS and payment providers; a part of readSettings.
import { isIP } from 'node:net'
import * as v from 'valibot'

/** Entries of the environment's schema. */
export const gatewayEnvironment = {
  SMS_KEY_ID: optionalName('SMS_KEY_ID'),
  SMS_KEY_SECRET: optionalName('SMS_KEY_SECRET'),
  SMS_SIGN_NAME: optionalName('SMS_SIGN_NAME'),
  SMS_APP_ID: optionalName('SMS_APP_ID'),
  SMS_REGION: optionalName('SMS_REGION'),
  SMS_TEMPLATE_LOGIN: optionalName('SMS_TEMPLATE_LOGIN'),
  SMS_TEMPLATE_REGISTER: optionalName('SMS_TEMPLATE_REGISTER'),
  SMS_TEMPLATE_NOTICE: optionalName('SMS_TEMPLATE_NOTICE'),
  SMS_TEMPLATE_APPROVED: optionalName('SMS_TEMPLATE_APPROVED'),
  SMS_TEMPLATE_FLOW: optionalName('SMS_TEMPLATE_FLOW'),
  SMS_ENDPOINT: address('SMS_ENDPOINT'),
  SMS_DAILY_BUDGET: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,7}$/, 'SMS_DAILY_BUDGET must be a whole number')),
    '2000',
  ), // docs/rules/security.md#sign-in
  CAMPUS_CIDRS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) =>
        list
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      ),
      v.check(
        (ranges) => ranges.every(isRange),
        'CAMPUS_CIDRS must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      ),
    ),
    '',
  ),
  CAPTCHA_WORK: v.optional(v.picklist(['0', '1'], 'CAPTCHA_WORK must be 0 or 1'), '0'),
  CAPTCHA_WRONG_HOUR: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^\d{1,4}$/.test(text) && Number(text) >= 20 && Number(text) <= 2_000,
        'CAPTCHA_WRONG_HOUR must be a whole number from 20 to 2000',
      ),
    ),
    '100',
  ),
  WECHAT_MCHID: optionalName('WECHAT_MCHID', 32),
  WECHAT_APPID: optionalName('WECHAT_APPID', 32),
  WECHAT_SERIAL: optionalName('WECHAT_SERIAL', 64),
  WECHAT_KEY_FILE: optionalName('WECHAT_KEY_FILE', 4096),
  WECHAT_APIV3_KEY: v.optional(
    v.pipe(
      v.string(),
      v.check((key) => Buffer.byteLength(key) === 32, 'WECHAT_APIV3_KEY must have 32 characters'),
    ),
  ),
  WECHAT_PUBLIC_KEY_ID: optionalName('WECHAT_PUBLIC_KEY_ID', 64),
  WECHAT_PUBLIC_KEY_FILE: optionalName('WECHAT_PUBLIC_KEY_FILE', 4096),
  WECHAT_ENDPOINT: address('WECHAT_ENDPOINT'),
  ALLOW_PGLITE_PAY: v.optional(v.picklist(['0', '1'], 'ALLOW_PGLITE_PAY must be 0 or 1'), '0'),
}

function optionalName(name: string, max = 256) {
  return v.optional(
    v.pipe(v.string(), v.maxLength(max, `${name} must be at most ${max} characters`)),
  )
}

function address(name: string) {
  return v.optional(v.pipe(v.string(), v.check(isHttp, `${name} must be an http or https address`)))
}

function isHttp(text: string) {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function isRange(part: string) {
  const [network = '', bits, ...rest] = part.split('/')
  return isIP(network) !== 0 && rest.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
}

const schema = v.object(gatewayEnvironment)
type Gateways = v.InferOutput<typeof schema>

export interface SmsAccount {
  readonly keyId: string
  readonly keySecret: string
  readonly signName: string
  readonly appId: string
  readonly region: string
  /** Without the last three, what they say is not sent. */
  readonly templates: Readonly<
    Record<'LOGIN_CODE' | 'REGISTER_CODE', string> &
      Partial<Record<'REGISTER_NOTICE' | 'REGISTER_APPROVED' | 'FLOW_NOTICE', string>>
  >
  readonly endpoint?: string
}
export interface WechatAccount {
  readonly mchid: string
  readonly appid: string
  /** Serial of the merchant's own certificate, and the file with its private key. */
  readonly serial: string
  readonly keyFile: string
  readonly apiV3Key: string
  /** WeChat's public key; this mode needs no rotation of platform certificates. */
  readonly publicKey?: { readonly id: string; readonly file: string }
  readonly endpoint: string
}
export interface GatewaySettings {
  /** Present with SMS_DRIVER aliyun or tencent. */
  readonly smsAccount?: SmsAccount
  /** Maximum messages per tenant in 24 h. */
  readonly smsDailyBudget: number
  /** Networks whose addresses are shared by a whole campus; their limits are ten times as high. */
  readonly campusCidrs: readonly string[]
  /** Whether every captcha asks for a proof of work; else only one whose budgets are half used. */
  readonly captchaWork: boolean
  /** Wrong answers to captchas that an address has in an hour; five times as many in a day. */
  readonly captchaWrongHour: number
  /** Present with PAY_DRIVER wechat. */
  readonly wechat?: WechatAccount
}

interface Drivers {
  readonly SMS_DRIVER: 'outbox' | 'aliyun' | 'tencent'
  readonly PAY_DRIVER: 'sandbox' | 'wechat'
  readonly APP_ENV: 'development' | 'test' | 'production'
  readonly DATABASE_URL?: string | undefined
  readonly PUBLIC_URL?: string | undefined
}
type Read = Gateways & Drivers

const smsAccountVariables = [
  'SMS_KEY_ID',
  'SMS_KEY_SECRET',
  'SMS_SIGN_NAME',
  'SMS_TEMPLATE_LOGIN',
  'SMS_TEMPLATE_REGISTER',
] as const

/** Settings of each SMS driver in the environment; `region` is the default of SMS_REGION. */
interface SmsRequirements {
  readonly needs: readonly (keyof Gateways)[]
  /** Null for a driver without an account. */
  readonly region: string | null
}
const smsDrivers = {
  outbox: { needs: [], region: null },
  aliyun: { needs: smsAccountVariables, region: 'cn-hangzhou' },
  tencent: { needs: [...smsAccountVariables, 'SMS_APP_ID'], region: 'ap-guangzhou' },
} satisfies Record<Drivers['SMS_DRIVER'], SmsRequirements>

const wechatNeeds = [
  'WECHAT_MCHID',
  'WECHAT_APPID',
  'WECHAT_SERIAL',
  'WECHAT_KEY_FILE',
  'WECHAT_APIV3_KEY',
] as const
const plainHttp = (url: string | undefined) => url?.startsWith('http:') === true

/** Sentences about settings that do not fit together; false for those that do. */
export function gatewayRefusals(read: Read): (string | false)[] {
  const sms = missing(read, smsDrivers[read.SMS_DRIVER].needs)
  const wechat = read.PAY_DRIVER === 'wechat' ? missing(read, wechatNeeds) : []
  return [
    sms.length > 0 && `${sms.join(', ')} must be set when SMS_DRIVER is ${read.SMS_DRIVER}`,
    wechat.length > 0 && `${wechat.join(', ')} must be set when PAY_DRIVER is wechat`,
    read.PAY_DRIVER === 'wechat' &&
      (read.WECHAT_PUBLIC_KEY_ID === undefined) !== (read.WECHAT_PUBLIC_KEY_FILE === undefined) &&
      'WECHAT_PUBLIC_KEY_ID and WECHAT_PUBLIC_KEY_FILE belong together',
    // On an ordinary disk, a power cut may lose a paid order (docs/rules/security.md#q6).
    read.PAY_DRIVER === 'wechat' &&
      read.APP_ENV === 'production' &&
      read.DATABASE_URL === undefined &&
      read.ALLOW_PGLITE_PAY === '0' &&
      'DATABASE_URL must be set when PAY_DRIVER is wechat and APP_ENV is production (or ALLOW_PGLITE_PAY=1)',
    // WeChat sends notifications of payments to this address, over https only.
    read.PAY_DRIVER === 'wechat' &&
      read.APP_ENV === 'production' &&
      read.PUBLIC_URL?.startsWith('https:') !== true &&
      'PUBLIC_URL must be an https address when PAY_DRIVER is wechat and APP_ENV is production',
    read.APP_ENV === 'production' &&
      plainHttp(read.WECHAT_ENDPOINT) &&
      'WECHAT_ENDPOINT must be an https address when APP_ENV is production',
    read.APP_ENV === 'production' &&
      plainHttp(read.SMS_ENDPOINT) &&
      'SMS_ENDPOINT must be an https address when APP_ENV is production',
  ]
}

function missing(read: Read, names: readonly (keyof Gateways)[]) {
  return names.filter((name) => read[name] === undefined)
}

export function gatewaySettings(read: Read): GatewaySettings {
  return {
    ...smsAccount(read),
    smsDailyBudget: Number(read.SMS_DAILY_BUDGET),
    campusCidrs: read.CAMPUS_CIDRS,
    captchaWork: read.CAPTCHA_WORK === '1',
    captchaWrongHour: Number(read.CAPTCHA_WRONG_HOUR),
    ...(read.PAY_DRIVER === 'wechat' ? { wechat: wechatAccount(read) } : {}),
  }
}

function smsAccount(read: Read): Pick<GatewaySettings, 'smsAccount'> {
  const { region } = smsDrivers[read.SMS_DRIVER]
  if (region === null) return {}
  return {
    smsAccount: {
      keyId: read.SMS_KEY_ID ?? '',
      keySecret: read.SMS_KEY_SECRET ?? '',
      signName: read.SMS_SIGN_NAME ?? '',
      appId: read.SMS_APP_ID ?? '',
      region: read.SMS_REGION ?? region,
      templates: {
        LOGIN_CODE: read.SMS_TEMPLATE_LOGIN ?? '',
        REGISTER_CODE: read.SMS_TEMPLATE_REGISTER ?? '',
        ...(read.SMS_TEMPLATE_NOTICE !== undefined && {
          REGISTER_NOTICE: read.SMS_TEMPLATE_NOTICE,
        }),
        ...(read.SMS_TEMPLATE_APPROVED !== undefined && {
          REGISTER_APPROVED: read.SMS_TEMPLATE_APPROVED,
        }),
        ...(read.SMS_TEMPLATE_FLOW !== undefined && { FLOW_NOTICE: read.SMS_TEMPLATE_FLOW }),
      },
      ...(read.SMS_ENDPOINT === undefined ? {} : { endpoint: read.SMS_ENDPOINT }),
    },
  }
}

function wechatAccount(read: Read): WechatAccount {
  return {
    mchid: read.WECHAT_MCHID ?? '',
    appid: read.WECHAT_APPID ?? '',
    serial: read.WECHAT_SERIAL ?? '',
    keyFile: read.WECHAT_KEY_FILE ?? '',
    apiV3Key: read.WECHAT_APIV3_KEY ?? '',
    ...(read.WECHAT_PUBLIC_KEY_ID === undefined || read.WECHAT_PUBLIC_KEY_FILE === undefined
      ? {}
      : { publicKey: { id: read.WECHAT_PUBLIC_KEY_ID, file: read.WECHAT_PUBLIC_KEY_FILE } }),
    endpoint: (read.WECHAT_ENDPOINT ?? 'https://api.mch.weixin.qq.com').replace(/\/+$/, ''),
  }
}
