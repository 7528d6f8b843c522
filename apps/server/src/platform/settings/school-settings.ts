// Settings of a school: parameters (SYS_PARAM) that the program knows, with their bounds and defaults
// (docs/rules/contract.md#settings-of-a-school). A school has other parameters besides.
import type { Message } from '@jiaowu/api/texts/index'
import { isSafeAddress } from '@jiaowu/validation'
import type { PlatformServices } from '../context.ts'
import { isId } from '../id.ts'

type Db = Pick<PlatformServices['database']['kysely'], 'selectFrom'>
/** In Chinese and in English. */
type Words = readonly [zh: string, en: string]

interface Described {
  /** The name of a new row. Names of parameters are the school's own, in one language. */
  readonly name: string
  readonly meaning: Words
}
interface Whole extends Described {
  readonly kind: 'whole'
  readonly unit: keyof typeof units
  readonly least: number
  readonly most: number
  readonly fallback: number
}
interface Choice extends Described {
  readonly kind: 'choice'
  readonly choices: Readonly<Record<string, Words>>
  /** Null: a setting of the server decides, which `elsewhere` names. */
  readonly fallback: null
  readonly elsewhere: string
}
/** An address: http, https or a path of this site (docs/rules/security.md#i6); a text: one line. */
interface Free extends Described {
  readonly kind: 'address' | 'text'
}
type Setting = Whole | Choice | Free

const units = {
  minutes: ['分钟', 'minutes'],
  days: ['天', 'days'],
  characters: ['个字符', 'characters'],
  times: ['次', 'times'],
  messages: ['条', 'messages'],
  sessions: ['个', 'sessions'],
} as const satisfies Record<string, Words>

/** A time that a school may shorten and never lengthen: the largest is the default. */
const minutes = (least: number, most: number, name: string, meaning: Words) =>
  ({ kind: 'whole', unit: 'minutes', least, most, fallback: most, name, meaning }) as const
const whole = (
  unit: Whole['unit'],
  [least, most, fallback]: readonly [least: number, most: number, fallback: number],
  name: string,
  meaning: Words,
) => ({ kind: 'whole', unit, least, most, fallback, name, meaning }) as const
const free = <K extends Free['kind']>(kind: K, name: string, meaning: Words) =>
  ({ kind, name, meaning }) as const

const known = {
  SCHOOL_NAME: free('text', '学校名称', [
    '学校名称，用于文件和学生服务页',
    'Name of the school, on documents and in the student service',
  ]),
  SCHOOL_NAME_EN: free('text', '学校英文名称', [
    '学校英文名称，空则用中文名称',
    'Name of the school in English; empty: the Chinese one',
  ]),
  SCHOOL_SITE: free('address', '学校网站', [
    '学生服务页所链接的学校网站',
    'Site of the school, linked from the student service',
  ]),
  SCHOOL_SITE_EN: free('address', '学校英文网站', [
    '英文页面所链接的学校网站，空则用中文网站',
    'Site of the school, linked from pages in English; empty: the Chinese one',
  ]),
  REGISTRAR_SITE: free('address', '教务处网站', [
    '学生服务页所链接的教务处网站',
    'Site of the registrar, linked from the student service',
  ]),
  REGISTRAR_SITE_EN: free('address', '教务处英文网站', [
    '英文页面所链接的教务处网站，空则用中文网站',
    'Site of the registrar, linked from pages in English; empty: the Chinese one',
  ]),
  CONTACT_ADDRESS: free('text', '联系地址', [
    '学生服务页所示的联系地址',
    'Address shown in the student service',
  ]),
  CONTACT_ADDRESS_EN: free('text', '联系地址（英文）', [
    '英文页面所示的联系地址，空则用中文地址',
    'Address shown on pages in English; empty: the Chinese one',
  ]),
  FEE_NOTICE: free('text', '收费说明', [
    '学生下载文件前所示的收费说明，空则用内置的说明',
    'About fees, shown before a download; empty: the built-in text',
  ]),
  FEE_NOTICE_EN: free('text', '收费说明（英文）', [
    '英文页面所示的收费说明，空则用中文说明',
    'About fees, shown on pages in English; empty: the Chinese text',
  ]),
  STAFF_IDLE_MINUTES: minutes(10, 8 * 60, '教职工闲置时限', [
    '教职工不操作多久后须重新登录',
    'Staff sign in again after this time without use',
  ]),
  STAFF_SESSION_MINUTES: minutes(30, 12 * 60, '教职工会话时限', [
    '教职工登录多久后须重新登录',
    'Staff sign in again this time after their sign-in',
  ]),
  STAFF_SESSIONS: whole('sessions', [1, 20, 5], '教职工同时登录数', [
    '一名教职工同时登录的设备数，更早的登录结束',
    'Devices on which one member of staff is signed in; the oldest ends',
  ]),
  STUDENT_SESSIONS: whole('sessions', [1, 10, 3], '学生同时登录数', [
    '一名学生同时登录的设备数，更早的登录结束',
    'Devices on which a student is signed in; the oldest ends',
  ]),
  STUDENT_IDLE_MINUTES: minutes(10, 30, '学生闲置时限', [
    '学生不操作多久后须重新登录',
    'Students sign in again after this time without use',
  ]),
  STUDENT_SESSION_MINUTES: minutes(30, 4 * 60, '学生会话时限', [
    '学生登录多久后须重新登录',
    'Students sign in again this time after their sign-in',
  ]),
  PROOF_MINUTES: minutes(5, 60, '身份验证时限', [
    '验证身份后多久内可做重要操作而不必再验证',
    'How long a proof of identity counts for acts that matter most',
  ]),
  PASSWORD_MIN_LENGTH: whole('characters', [8, 64, 8], '密码最短长度', [
    '教职工新密码的最短长度',
    'Length that a new password of staff needs',
  ]),
  PASSWORD_MAX_DAYS: whole('days', [0, 3_650, 0], '密码有效天数', [
    '密码超过此天数后，登录时须修改；0 为不限',
    'Staff change an older password when they sign in; 0: never',
  ]),
  SIGN_IN_CAPTCHA_AFTER: whole('times', [1, 5, 5], '登录失败几次后需验证码', [
    '15 分钟内输错密码几次后须填写图片验证码',
    'Wrong passwords within 15 minutes after which a captcha is asked',
  ]),
  SIGN_IN_WAIT_AFTER: whole('times', [3, 10, 10], '登录失败几次后须等待', [
    '15 分钟内输错密码几次后，此账号在此地址须等待',
    'Wrong passwords within 15 minutes after which the account waits at that address',
  ]),
  SIGN_IN_WAIT_MINUTES: whole('minutes', [15, 1_440, 15], '登录失败后的等待时间', [
    '输错密码次数过多后须等待的时间',
    'How long the account waits after too many wrong passwords',
  ]),
  SMS_MOBILE_DAY: whole('messages', [3, 20, 10], '每个手机号的短信数', [
    '一个手机号每天至多收多少条验证码',
    'Codes that one mobile number gets in a day at most',
  ]),
  SMS_ADDRESS_DAY: whole('messages', [20, 5000, 300], '每个地址的短信数', [
    '一个网络地址每天至多要多少条验证码，每小时为其五分之一；校园网段为十倍',
    'Codes for one network address in a day at most, a fifth of it in an hour; ten times for a campus',
  ]),
  SMS_NETWORK_DAY: whole('messages', [50, 20_000, 1200], '每个网段的短信数', [
    '一个网段（/24，IPv6 为 /56）每天至多要多少条验证码，每小时为其五分之一',
    'Codes for one network (/24, /56 with IPv6) in a day at most, a fifth of it in an hour',
  ]),
  SMS_SCHOOL_DAY: whole('messages', [50, 99_999, 99_999], '全校的短信数', [
    '全校每天至多发多少条验证码，不超过服务器的 SMS_DAILY_BUDGET',
    'Codes of the school in a day at most, never above SMS_DAILY_BUDGET of the server',
  ]),
  REGISTER_MOBILE: {
    kind: 'choice',
    name: '学生注册的手机号',
    meaning: ['学生可用哪些手机号注册', 'Mobiles with which students register'],
    choices: {
      'on-file': ['学籍登记的号码', 'the one on file'],
      approval: ['其他号码须经审核', 'others after an approval'],
      any: ['任意号码', 'every one'],
    },
    fallback: null,
    elsewhere: 'REGISTER_MOBILE',
  },
  REGISTER_REQUEST_DAYS: whole('days', [1, 90, 14], '注册审核有效天数', [
    '注册申请须在此天数内审核，通过后须在同样天数内注册',
    'A request to register waits this long, and an approved one again',
  ]),
} as const satisfies Readonly<Record<string, Setting>>

export type SchoolSetting = keyof typeof known
type ValueOf<S extends Setting> = S extends Whole
  ? number
  : S extends Choice
    ? keyof S['choices'] | null
    : string
/** Values by code: those of the school, else the shared ones, else the defaults (empty for a text). */
export type SchoolSettings<C extends SchoolSetting> = {
  readonly [K in C]: ValueOf<(typeof known)[K]>
}

export const schoolSettings = Object.entries(known).map(([code, setting]: [string, Setting]) => ({
  code: code as SchoolSetting,
  name: setting.name,
  /** Meaning, bounds and default. */
  description: describeSetting(setting),
}))

/**
 * Reads settings in one statement. A stored value that is out of bounds counts as none.
 * @param db the transaction, where there is one, because the embedded database has one connection
 */
export async function readSchoolSettings<const C extends SchoolSetting>(
  db: Db,
  tenant: string,
  codes: readonly C[],
): Promise<SchoolSettings<C>> {
  const rows = await db
    .selectFrom('sys.param')
    .select(['code', 'value'])
    .where('tenant_id', 'in', isId(tenant) ? ['0', tenant] : ['0'])
    .where('code', 'in', codes)
    .where('deleted_at', 'is', null)
    .orderBy('tenant_id')
    .execute()
  // The school's own come after the shared ones.
  const stored = new Map(rows.map(({ code, value }) => [code, value?.trim() ?? '']))
  const values = codes.map(
    (code) => [code, parseSettingValue(code, stored.get(code) ?? '')] as const,
  )
  return Object.fromEntries(values) as SchoolSettings<C>
}

function parseSettingValue(code: SchoolSetting, text: string): string | number | null {
  const setting: Setting = known[code]
  const isGood = text !== '' && settingFault(code, text) === null
  if (setting.kind === 'whole') return isGood ? Number(text) : setting.fallback
  if (setting.kind === 'choice') return isGood ? text : setting.fallback
  return isGood ? text : ''
}

/** Null for a good value, for an empty one, and for a parameter that the program does not know. */
export function settingFault(code: string, value: string | null): Message | null {
  const text = value?.trim() ?? ''
  if (!isKnown(code) || text === '') return null
  const setting: Setting = known[code]
  switch (setting.kind) {
    case 'whole':
      return wholeFault(setting, text)
    case 'choice':
      return Object.hasOwn(setting.choices, text)
        ? null
        : { key: 'rule.oneOf', params: { choices: Object.keys(setting.choices).join(', ') } }
    case 'address':
      return isSafeAddress(text) ? null : { key: 'rule.address' }
    case 'text':
      return null
  }
}

function wholeFault({ least, most }: Whole, text: string): Message | null {
  if (!/^\d{1,5}$/.test(text)) return { key: 'rule.digits' }
  const number = Number(text)
  if (number < least) return { key: 'rule.min', params: { bound: least } }
  return number > most ? { key: 'rule.max', params: { bound: most } } : null
}

function isKnown(code: string): code is SchoolSetting {
  return Object.hasOwn(known, code)
}

function describeSetting(setting: Setting): Words {
  const [zh, en] = setting.meaning
  if (setting.kind === 'choice') {
    const choices = Object.entries(setting.choices)
    return [
      `${zh}（${choices.map(([code, [word]]) => `${code} ${word}`).join('，')}；默认见服务器设置 ${setting.elsewhere}）`,
      `${en} (${choices.map(([code, [, word]]) => `${code}: ${word}`).join('; ')}; default: ${setting.elsewhere} of the server)`,
    ]
  }
  if (setting.kind !== 'whole') return [zh, en]
  const { least, most, fallback, unit } = setting
  const [unitZh, unitEn] = units[unit]
  return [
    `${zh}（${least} 至 ${most} ${unitZh}，默认 ${fallback}）`,
    `${en} (${least} to ${most} ${unitEn}, default ${fallback})`,
  ]
}
