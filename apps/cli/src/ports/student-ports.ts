import {
  captchaTicketHeader,
  studentClient,
  type StudentTokens,
} from '@jiaowu/api/contract/student/student'
import type { DownloadPorts } from '@jiaowu/machines/download/ports'
import type { RegisterPorts } from '@jiaowu/machines/register/ports'
import type { SmsCodePorts } from '@jiaowu/machines/sms-code/ports'
import type { StudentSignInPorts } from '@jiaowu/machines/sign-in/ports'
import type { CommandLine } from '../command-line.ts'
import type { Api } from '../session/api.ts'
import { saveFile } from '../files/save-file.ts'
import type { SavedSession } from '../session/session-file.ts'

/** Captcha and SMS calls. The ticket is sent in a header, since the terminal keeps no cookies. */
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

/**
 * Sign-in of students. Stores the session in a profile of its own, which does not become the
 * current one.
 */
export function signInPorts(
  { student }: Api,
  { sessions, profile, server }: CommandLine,
): StudentSignInPorts {
  return {
    signIn: async ({ mobile, code, ticket }, signal) => {
      const saved = toSavedStudent(
        await student.signIn({
          body: { account: mobile, password: code, grantType: 'stupc' },
          ...ticketHeader(ticket),
          signal,
        }),
      )
      await sessions.signedIn(profile, server, saved, false)
      return {
        version: 1,
        token: saved.token,
        refreshToken: saved.refreshToken,
        expiresAt: saved.expiresAt,
      }
    },
  }
}

function toSavedStudent({
  token,
  refreshToken,
  expiresIn,
  userInfo: { id, account, name, tenant },
}: StudentTokens): SavedSession {
  return {
    token,
    refreshToken,
    expiresAt: Date.now() + expiresIn * 1000,
    user: { id, account, name, tenant, roles: [], mustChangePassword: false, org: null },
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

/** @param savedTo called with the path of the saved document */
export function downloadPorts(
  { student }: Api,
  line: CommandLine,
  folder: string | undefined,
  savedTo: (path: string) => void,
): DownloadPorts {
  return {
    detail: (_input, signal) => student.detail({ signal }),
    reports: ({ stuNo }, signal) => student.reports({ query: { stuNo }, signal }),
    price: ({ reportId }, signal) => student.price({ query: { reportId }, signal }),
    preview: ({ reportId, account }, signal) =>
      student.preview({
        body: { reportId, account: Buffer.from(account).toString('base64') },
        signal,
      }),
    order: (body, signal) => student.order({ body, signal }),
    orderStatus: ({ orderNo }, signal) => student.orderStatus({ query: { orderNo }, signal }),
    cancelOrder: ({ orderNo }, signal) => student.cancelOrder({ body: { orderNo }, signal }),
    download: async ({ orderNo }, signal) => {
      const { path } = await saveFile(
        { ...line, overwrites: true, signal: AbortSignal.any([signal, line.signal]) },
        await student.download({ query: { orderNo }, signal }),
        folder,
        `${orderNo}.pdf`,
      )
      savedTo(path)
    },
  }
}
