import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiProblem } from '@jiaowu/api/problem'
import { captchaTicketHeader, type SmsPurpose } from '@jiaowu/api/contract/student/student'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { TestApp } from '@jiaowu/server/testing'
import { vi } from 'vitest'

export type Api = Client<typeof contract>

export interface OutboxMessage {
  readonly mobile: string
  readonly template: string
  readonly params: { readonly code: string }
  readonly text: string
}
/** The messages of the outbox driver, oldest first. */
export async function readOutbox(dataDir: string): Promise<OutboxMessage[]> {
  return (await readFile(join(dataDir, 'outbox', 'sms.jsonl'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as OutboxMessage)
}
/** The last code sent to a number. Waits, because the file may be written after the reply. */
export function lastCode(dataDir: string, mobile: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const message = (await readOutbox(dataDir)).findLast((each) => each.mobile === mobile)
      if (message === undefined) throw new Error(`no SMS to ${mobile}`)
      return message.params.code
    },
    { timeout: 10_000 },
  )
}

/** The problem of a refused call. */
export async function catchProblem(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`no problem: ${String(error)}`)
  return error.problem
}

/** Only the database holds the answer of a captcha, so tests use the fixed driver (APP_ENV=test). */
export const captchaAnswer = 'AAAA'
export const captchaEnv = { CAPTCHA_DRIVER: 'fixed', CAPTCHA_FIXED: captchaAnswer } as const

export async function solveTicket(api: Api): Promise<string> {
  const { key } = await api.student.captcha({})
  return (await api.student.verify({ body: { key, verifyTxt: captchaAnswer } })).ticket
}
export async function askCode(api: Api, mobile: string, isType: SmsPurpose) {
  return api.student.smsCode({
    query: { mobile, isType },
    headers: { [captchaTicketHeader]: await solveTicket(api) },
  })
}

/** Signs a student in by SMS code. */
async function signInStudent(api: Api, dataDir: string, mobile: string) {
  await askCode(api, mobile, '1')
  return api.student.signIn({
    body: { account: mobile, password: await lastCode(dataDir, mobile), grantType: 'stupc' },
  })
}

/** A signed-in client of a student for an app without a port. */
export async function studentClient(
  app: TestApp,
  mobile: string,
): Promise<Api & { readonly token: string; readonly refreshToken: string }> {
  const { token, refreshToken } = await signInStudent(
    app.client(''),
    app.services.settings.dataDir,
    mobile,
  )
  return { ...app.client(token), token, refreshToken }
}
