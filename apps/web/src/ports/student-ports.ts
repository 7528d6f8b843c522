import { captchaTicketHeader, studentClient } from '@jiaowu/api/contract/student/student'
import { parseJson } from '@jiaowu/api/exact-json'
import type { DownloadFacts, DownloadPorts } from '@jiaowu/machines/download/ports'
import type { Notice, NoticesPorts } from '@jiaowu/machines/notices/ports'
import type { RegisterPorts } from '@jiaowu/machines/register/ports'
import type { SmsCodePorts, SmsFacts } from '@jiaowu/machines/sms-code/ports'
import type { StudentSignInPorts } from '@jiaowu/machines/sign-in/ports'
import * as v from 'valibot'
import type { Services } from '../app/api-context.ts'
import type { Api } from '../app/api.ts'

/**
 * Captcha and SMS calls. The ticket is sent in a header, since a Secure cookie is not sent over
 * plain http in a LAN.
 */
export function smsPorts({ student }: Api): SmsCodePorts {
  return {
    captcha: (_input, signal) => student.captcha({ signal }),
    verify: ({ key, answer }, signal) =>
      student.verify({ body: { key, verifyTxt: answer }, signal }),
    smsCode: ({ mobile, purpose, ticket }, signal) =>
      student.smsCode({
        query: { clientId: studentClient, mobile, isType: purpose },
        headers: { [captchaTicketHeader]: ticket },
        signal,
      }),
  }
}

export function signInPorts({ student }: Api): StudentSignInPorts {
  return {
    signIn: async ({ mobile, code, ticket }, signal) => {
      const { token, refreshToken, expiresIn } = await student.signIn({
        body: { account: mobile, password: code, grantType: 'stupc' },
        ...ticketHeader(ticket),
        signal,
      })
      return { version: 1, token, refreshToken, expiresAt: Date.now() + expiresIn * 1000 }
    },
  }
}

export function registerPorts({ student }: Api): RegisterPorts {
  return {
    register: ({ idNumber, major, mobile, code, ticket }, signal) =>
      student.register({
        body: { sfzh: idNumber, zymc: major, mobile, verCode: code, clientId: studentClient },
        ...ticketHeader(ticket),
        signal,
      }),
  }
}

function ticketHeader(ticket: string): { readonly headers?: Readonly<Record<string, string>> } {
  return ticket === '' ? {} : { headers: { [captchaTicketHeader]: ticket } }
}

/** All published notices, newest first (docs/spec/2-student-service-and-designer.md §7). */
export function noticesPorts({ student }: Api): NoticesPorts {
  return {
    notices: async (_input, signal) => {
      const { records } = await student.notices({
        body: {
          pageNum: -1,
          pageSize: -1,
          queries: { noticeStatus: [{ id: '0' }] },
          sorts: [{ column: 'issueTime', asc: false }],
        },
        signal,
      })
      return records.map((row): Notice => ({
        id: row.id,
        title: String(row.noticeTitle ?? ''),
        issueTime: String(row.issueTime ?? ''),
        publisher: nameOfFirst(row.createUser),
        content: String(row.noticeContent ?? ''),
      }))
    },
  }
}

function nameOfFirst(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : null
  return typeof first === 'object' && first !== null && 'name' in first ? String(first.name) : ''
}

export function downloadPorts({
  api: { student },
  saveFile,
}: Pick<Services, 'api' | 'saveFile'>): DownloadPorts {
  return {
    detail: (_input, signal) => student.detail({ signal }),
    reports: ({ stuNo }, signal) => student.reports({ query: { stuNo }, signal }),
    price: ({ reportId }, signal) => student.price({ query: { reportId }, signal }),
    preview: ({ reportId, account }, signal) =>
      student.preview({ body: { reportId, account: base64(account) }, signal }),
    order: (body, signal) => student.order({ body, signal }),
    orderStatus: ({ orderNo }, signal) => student.orderStatus({ query: { orderNo }, signal }),
    cancelOrder: ({ orderNo }, signal) => student.cancelOrder({ body: { orderNo }, signal }),
    download: async ({ orderNo }, signal) =>
      saveFile(await student.download({ query: { orderNo }, signal }), undefined, signal),
  }
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

const smsFacts = v.object({ version: v.literal(1), lockedUntil: v.number() })
const downloadFacts = v.object({
  version: v.literal(1),
  account: v.string(),
  report: v.object({ id: v.string(), reportName: v.string() }),
  paid: v.boolean(),
  order: v.object({
    orderNo: v.string(),
    codeUrl: v.nullable(v.string()),
    amount: v.number(),
    deadline: v.number(),
  }),
})
export const storedSms = createStoredFacts<SmsFacts>('JIAOWU_SMS_LOCK', smsFacts)

/**
 * Facts kept in the session storage across reloads. `read` returns null for damaged data and for
 * other versions.
 */
function createStoredFacts<T>(key: string, schema: v.GenericSchema<unknown, T>) {
  return {
    read: (): T | null => {
      try {
        const parsed = v.safeParse(schema, parseJson(sessionStorage.getItem(key) ?? 'null'))
        return parsed.success ? parsed.output : null
      } catch {
        return null // not JSON
      }
    },
    write: (facts: T | null): void => {
      if (facts === null) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(facts))
    },
  }
}

export const storedDownload = createStoredFacts<DownloadFacts>('JIAOWU_ORDER', downloadFacts)
