// Personal data: the kinds of it, their masks, and which kind a column probably holds
// (docs/rules/security.md#d4).
import type { FieldDraft } from './entity/definition/definition.ts'
import { piiKinds, type PiiKind } from './entity/enums.ts'
import type { WireValue } from './entity/values.ts'
import { findKind } from './fields/kinds.ts'

/** Stands for each character that a mask leaves out. */
const hidden = '*'

type Ends = readonly [first: number, last: number]

/** Characters of a Chinese ID number, since 1999 and before. */
export const idNumberLengths: readonly number[] = [18, 15]

/**
 * Characters that a mask keeps at the start and at the end. Of an ID number no digit of the region
 * below the largest one, of the birth date or of the sequence is kept: other columns tell them.
 * `passport` is for values of `idCard` that are no ID numbers by their length.
 */
export const piiEndsKept = {
  idCard: [1, 1],
  passport: [2, 0],
  mobile: [3, 4],
  name: [1, 0],
  address: [6, 0],
  bank: [0, 4],
} as const satisfies Record<Exclude<PiiKind, 'email'> | 'passport', Ends>

/**
 * The masked form, of the same length. A value so short that nothing would be left out is hidden
 * whole.
 */
export function maskPii(kind: PiiKind, value: string): string {
  const characters = [...value]
  if (kind === 'email') return maskEmail(characters)
  const isPassport = kind === 'idCard' && !idNumberLengths.includes(characters.length)
  const [first, last] = piiEndsKept[isPassport ? 'passport' : kind]
  if (characters.length <= first + last) return hidden.repeat(characters.length)
  return (
    characters.slice(0, first).join('') +
    hidden.repeat(characters.length - first - last) +
    characters.slice(characters.length - last).join('')
  )
}

function maskEmail(characters: readonly string[]): string {
  const at = characters.lastIndexOf('@')
  if (at === -1) return hidden.repeat(characters.length)
  if (at <= 1) return hidden.repeat(at) + characters.slice(at).join('')
  return (characters[0] ?? '') + hidden.repeat(at - 1) + characters.slice(at).join('')
}

/** The masked form of a value of any field kind. */
export function maskValue(kind: PiiKind, value: WireValue): WireValue {
  if (value === null || value === '') return value
  return Array.isArray(value)
    ? value.map((item) => ({ id: maskPii(kind, item.id), name: maskPii(kind, item.name) }))
    : maskPii(kind, String(value))
}

/** Whether a value of personal data may be a mask, which must not be stored. */
export function looksMasked(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some((item: { readonly id?: unknown }) => looksMasked(item.id))
    : typeof value === 'string' && value.includes(hidden)
}

// The date of birth tells an ID number from the 18 digits of a record id.
const idNumbers =
  /(?<![0-9A-Za-z])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![0-9A-Za-z])/g
const mobiles = /(?<![0-9A-Za-z])1[3-9]\d{9}(?![0-9A-Za-z])/g

/** Masks ID numbers and mobiles inside a text of any origin, such as a log line or a reason. */
export function scrubPersonal(text: string): string {
  return text
    .replace(idNumbers, (found) => maskPii('idCard', found))
    .replace(mobiles, (found) => maskPii('mobile', found))
}

const rules: Readonly<Record<string, PiiKind>> = {
  Idcard: 'idCard',
  mobile: 'mobile',
  Email: 'email',
}

/** Words of column names, in English and pinyin, joined without separators. */
const names: Readonly<Record<PiiKind, RegExp>> = {
  idCard:
    /^(?:.*(?:idcard|idcardno|idcardnumber|idno|idnumber|identitycard|identityno|identitynumber|citizenid|nationalid|certno|certnumber|passport|passportno|sfz|sfzh|sfzjh|sfzhm|zjh|zjhm|shenfenzheng|shenfenzhenghao|idnum))$/,
  mobile:
    /^(?:.*(?:mobile|mobileno|mobilephone|mobilenumber|cellphone|phone|phoneno|phonenumber|telephone|sjh|sjhm|shouji|shoujihao|lxdh|dianhua))$/,
  email: /^(?:.*(?:email|emailaddress|mail|mailbox|dzyx|youxiang|yxdz))$/,
  name: /^(?:xm|.*(?:xingming|realname|fullname|personname|parentname|guardianname|fathername|mothername|contactname))$/,
  address: /^(?:.*(?:address|addr|jtzz|jtdz|txdz|dizhi|zhuzhi))$/,
  bank: /^(?:.*(?:bankcard|bankcardno|bankaccount|bankno|cardnumber|yhkh|yhzh|yinhangka|yinhangkahao))$/,
}
const comments: Readonly<Record<PiiKind, RegExp>> = {
  idCard: /身份证|证件号|护照号|\b(?:id (?:card|number)|identity (?:card|number)|passport)/i,
  mobile: /手机|电话|移动电话|\b(?:mobile|phone|telephone)\b/i,
  email: /邮箱|电子邮件|\be-?mail\b/i,
  name: /姓名|\bfull name\b/i,
  address: /住址|地址|\baddress\b/i,
  bank: /银行卡|银行账号|银行帐号|卡号|\bbank (?:card|account)/i,
}
/** Addresses, cards and names that are not of a person: `ip_address`, web addresses, book cards. */
const impersonal =
  /^(?:.*(?:ip|mac|web|www|url|email|link|site|host|server|request|route|router|redirect|avatar|image|file|callback|api|proxy)(?:addr|address)|homepage|tagname)$/
const impersonalComment =
  /网址|IP|链接|网站|院系|单位|学校|机构|公司|办公|校园卡|借书|(?:路由|请求|头像|重定向|图片|照片|图标|文件|附件|回调|接口|服务|访问|下载|上传|播放|视频|音频|直播|资源|组件|跳转|存储|内存|网关|主机|仓库|前端|后端|代理|节点|设备|页面|菜单|文档|镜像|域名|数据库)地址|类型|模板|\b(?:phone|telephone|email|address|card)(?: number)? types?\b/i

/** The kind of personal data that a text field probably holds; null for none. */
export function proposedPii({
  columnName,
  attrName,
  columnComment,
  uiLabel,
  uiType = 'input',
  valids,
}: Pick<
  FieldDraft,
  'columnName' | 'attrName' | 'columnComment' | 'uiLabel' | 'uiType' | 'valids'
>): PiiKind | null {
  const { family, secret } = findKind(uiType)
  if (family !== 'text' || secret) return null
  const byRule = (valids?.type ?? '').split(',').flatMap((rule) => rules[rule.trim()] ?? [])[0]
  if (byRule !== undefined) return byRule
  const comment = `${columnComment ?? ''} ${uiLabel}`
  const name = (columnName ?? attrName).replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  const byComment = piiKinds.find((kind) => comments[kind].test(comment))
  const isOtherAddress = byComment === 'address' && impersonal.test(name)
  if (byComment !== undefined)
    return impersonalComment.test(comment) || isOtherAddress ? null : byComment
  if (impersonal.test(name) && !/email(?:address)?$/.test(name)) return null
  return piiKinds.find((kind) => names[kind].test(name)) ?? null
}
