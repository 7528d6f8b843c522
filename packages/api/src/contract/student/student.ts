import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { page, pageQuery } from '../shapes.ts'
import { captchaWork } from './captcha-work.ts'

/**
 * A mobile number of mainland China, 11 digits (docs/spec/2-student-service-and-designer.md §5).
 */
export const mobilePattern = /^1[3-9]\d{9}$/
/**
 * Client id sent with SMS codes and registration: a label that authorises nothing
 * (docs/spec/2-student-service-and-designer.md §9, docs/rules/security.md#h10).
 */
export const studentClient = '0000'
/**
 * Header with the captcha ticket for clients without cookies
 * (docs/rules/contract.md#student-service).
 */
export const captchaTicketHeader = 'x-captcha-ticket'

const short = v.pipe(v.string(), v.maxLength(128))
const mobile = v.pipe(v.string(), v.regex(mobilePattern))
/** An id within the range of the database's int8. */
const idNumber = v.pipe(
  v.string(),
  v.check((digits) => /^\d{1,19}$/.test(digits) && BigInt(digits) < 2n ** 63n),
)
const tenant = v.optional(idNumber)
const clientId = v.optional(v.literal(studentClient), studentClient)

/**
 * Purpose of an SMS code: '1' sign-in, '2' registration
 * (docs/spec/2-student-service-and-designer.md §7).
 */
const smsPurposes = ['1', '2'] as const
export type SmsPurpose = (typeof smsPurposes)[number]

const studentTokens = v.object({
  userInfo: v.object({
    id: v.string(),
    account: v.string(),
    name: v.string(),
    avatar: v.nullable(v.string()),
    workDescribe: v.nullable(v.string()),
    tenant: v.string(),
  }),
  token: v.string(),
  refreshToken: v.string(),
  expiresIn: v.number(),
})
/**
 * Result of a student's sign-in; `expiresIn` in seconds
 * (docs/spec/2-student-service-and-designer.md §3). `session.signIn` refreshes it with the refresh
 * grant.
 */
export type StudentTokens = v.InferOutput<typeof studentTokens>

const studentDetail = v.object({
  fldXm: v.string(),
  fldXh: v.string(),
  fldSfzjh: v.string(),
  fldYxsh: v.string(),
  fldZymc: v.string(),
  fldBjmc: v.string(),
})
/**
 * Name, student number, masked ID number, faculty, major and class
 * (docs/spec/2-student-service-and-designer.md §3).
 */
export type StudentDetail = v.InferOutput<typeof studentDetail>

const reportLanguages = ['zh', 'en'] as const
const reportTypes = ['transcript', 'proof'] as const
const reportItem = v.object({
  id: v.string(),
  fldid: v.string(),
  reportCode: v.string(),
  reportName: v.string(),
  reportLanguage: v.picklist(reportLanguages),
  reportType: v.picklist(reportTypes),
  /** Already paid for, or free: downloads cost nothing. */
  owned: v.boolean(),
  /**
   * The order that grants the download when `owned`, else the order waiting for payment, if there
   * is one.
   */
  orderNo: v.nullable(v.string()),
  /** The state of the newest order that was refunded, or may be; absent when there is none. */
  refund: v.optional(v.picklist(['requested', 'underway', 'done'])),
  /** The last time that the staff issued it; to staff alone. */
  lastIssue: v.exactOptional(
    v.object({
      at: v.string(),
      by: v.nullable(v.string()),
      copies: v.nullable(v.number()),
      purpose: v.nullable(v.string()),
    }),
  ),
})
/**
 * An entry of the report list. `id` is the reportId of every other call, and `fldid` equals it
 * (docs/spec/2-student-service-and-designer.md §3).
 */
export type ReportItem = v.InferOutput<typeof reportItem>
export const reportList = v.array(reportItem)
export { studentDetail }

export const reportPrice = v.object({ REPORT_NAME: v.string(), PRINT_PRICE: v.number() })
/**
 * In yuan, at most 2 decimals; 0 when the report is free
 * (docs/spec/2-student-service-and-designer.md §3, docs/rules/contract.md#student-service).
 */
export type ReportPrice = v.InferOutput<typeof reportPrice>

/**
 * '0' open, '1' paid or free, '2' closed, '3' failed, '4' refund due or refunded
 * (docs/rules/contract.md#student-service).
 */
const codeStatuses = ['0', '1', '2', '3', '4'] as const
export type CodeStatus = (typeof codeStatuses)[number]
const codeStatus = v.picklist(codeStatuses)

export const printOrder = v.object({
  orderNo: v.string(),
  code_status: codeStatus,
  /** Content of the QR code; null when nothing is due. */
  code_url: v.nullable(v.string()),
  /** In yuan. */
  amount: v.number(),
  /** Seconds left to pay. */
  expires_in: v.number(),
})
export type PrintOrder = v.InferOutput<typeof printOrder>
export const orderStatus = v.object({ code_status: codeStatus })

/** A request to register waits for a clerk, who decides within these days. */
const registered = v.nullable(v.object({ waiting: v.literal(true), days: v.number() }))
/** Null when the mobile is bound. */
export type Registered = v.InferOutput<typeof registered>

/** Texts about the school and its fees, from SYS_PARAM, in the caller's language. */
const schoolInfo = v.object({
  schoolName: v.string(),
  schoolSite: v.string(),
  registrarSite: v.string(),
  contactAddress: v.string(),
  feeNotice: v.string(),
  /**
   * How a `code_url` is paid: `sandbox` opens in any browser, `wechat` only in WeChat on another
   * device.
   */
  payDriver: v.picklist(['sandbox', 'wechat']),
})
export type SchoolInfo = v.InferOutput<typeof schoolInfo>

const reportId = idNumber
const orderNo = v.pipe(v.string(), v.regex(/^[0-9A-Za-z_-]{6,32}$/))
export { orderNo as orderNoText, reportId as reportIdText }

/**
 * Sign-in, registration and downloads of students (docs/spec/2-student-service-and-designer.md §7,
 * docs/rules/contract.md#student-service). The session alone identifies the student.
 */
export const student = {
  captcha: endpoint({
    method: 'POST',
    keyed: false,
    path: '/stuLogin/captcha',
    access: 'public',
    answer: v.object({ key: v.string(), image: v.string(), work: v.optional(captchaWork) }),
  }),
  /**
   * Answers the captcha, with the header {@link captchaWorkHeader} where it came with work. A wrong
   * answer is refused with the text 'captcha error!' as `data`. The ticket allows one SMS within
   * 120 s; it is also set as an HttpOnly cookie.
   */
  verify: endpoint({
    method: 'POST',
    keyed: false,
    path: '/stuLogin/verify',
    access: 'public',
    bodyKind: 'form',
    body: v.strictObject({ key: short, verifyTxt: short }),
    answer: v.object({ ticket: v.string() }),
  }),
  /**
   * Sends an SMS code. Needs the captcha ticket, as cookie or in the header {@link
   * captchaTicketHeader}.
   * @throws 429 with `data.lockSeconds` when the last code was sent too recently
   */
  smsCode: endpoint({
    method: 'GET',
    path: '/stu/oauth/code',
    access: 'public',
    query: v.strictObject({ clientId, mobile, isType: v.picklist(smsPurposes), tenant }),
    answer: v.object({ lockSeconds: v.number() }),
  }),
  /**
   * Where a clerk approves mobiles that are not on file, every right code that binds nothing is answered
   * as waiting (docs/rules/security.md#p3).
   */
  register: endpoint({
    method: 'POST',
    keyed: false,
    path: '/stu/oauth/regist',
    access: 'public',
    body: v.strictObject({ sfzh: short, zymc: short, mobile, verCode: short, clientId, tenant }),
    answer: registered,
  }),
  /**
   * `account` is the mobile number, `password` the SMS code
   * (docs/spec/2-student-service-and-designer.md §3).
   */
  signIn: endpoint({
    method: 'POST',
    keyed: false,
    path: '/login',
    access: 'public',
    body: v.strictObject({
      account: short,
      password: short,
      tenant,
      grantType: v.literal('stupc'),
      args: v.optional(v.record(v.pipe(v.string(), v.maxLength(64)), short)),
    }),
    answer: studentTokens,
  }),
  school: endpoint({
    method: 'GET',
    path: '/stuLogin/school',
    access: 'public',
    query: v.strictObject({ tenant }),
    answer: schoolInfo,
  }),
  /**
   * Published notices, newest first, for callers without a session. Has the shape of the page query
   * of SYS_NOTICE but ignores its parameters (docs/spec/2-student-service-and-designer.md §7).
   */
  notices: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/SYS_NOTICE/data/page',
    access: 'public',
    anonymous: true,
    body: pageQuery,
    answer: page,
  }),
  detail: endpoint({
    method: 'GET',
    path: '/stu/print/detail',
    access: 'student',
    answer: studentDetail,
  }),
  reports: endpoint({
    method: 'GET',
    path: '/stu/print/list',
    access: 'student',
    query: v.strictObject({ stuNo: v.optional(short) }),
    answer: reportList,
  }),
  price: endpoint({
    method: 'GET',
    path: '/stu/print/price',
    access: 'student',
    query: v.strictObject({ reportId }),
    answer: reportPrice,
  }),
  /** The preview as PDF in base64, with a watermark on every page. */
  preview: endpoint({
    method: 'POST',
    keyed: false,
    path: '/stu/print/pdf',
    access: 'student',
    body: v.strictObject({ reportId, account: v.optional(short) }),
    answer: v.string(),
    timeout: 60_000,
  }),
  order: endpoint({
    method: 'POST',
    keyed: true,
    path: '/stu/print/order',
    access: 'student',
    body: v.strictObject({
      reportId,
      /** The way that the school offers: `wechat`. Others are refused with a sentence. */
      payType: v.pipe(v.string(), v.maxLength(32)),
      payValue: v.optional(v.union([v.string(), v.number()])),
    }),
    answer: printOrder,
  }),
  orderStatus: endpoint({
    method: 'GET',
    path: '/stu/print/order/status',
    access: 'student',
    query: v.strictObject({ orderNo }),
    answer: orderStatus,
  }),
  /** @throws a refusal with `data.code_status` '1' when the order has been paid meanwhile */
  cancelOrder: endpoint({
    method: 'POST',
    keyed: false,
    path: '/stu/print/order/cancel',
    access: 'student',
    body: v.strictObject({ orderNo }),
    answer: orderStatus,
  }),
  /** Documents about the student that offices have issued, newest first. */
  papers: endpoint({
    method: 'GET',
    path: '/stu/paper/list',
    access: 'student',
    query: v.strictObject({ ts: v.optional(short) }),
    answer: v.array(v.object({ number: v.string(), name: v.string(), issuedAt: v.string() })),
  }),
  /** @throws 404 for a document about somebody else, or a revoked one */
  paper: fileEndpoint({
    method: 'GET',
    path: '/stu/paper/download',
    access: 'student',
    query: v.strictObject({ number: v.pipe(v.string(), v.maxLength(40)) }),
  }),
  /** The final PDF; every download has the same bytes. */
  download: fileEndpoint({
    method: 'GET',
    path: '/stu/print/download',
    access: 'student',
    query: v.strictObject({ orderNo }),
  }),
} as const
