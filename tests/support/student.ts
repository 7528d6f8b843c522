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
/**
 * The last code sent to a number. Waits for a first one, because the file may be written after the
 * reply; where the number may have had one before, `receiveCode` tells them apart.
 */
export function lastCode(dataDir: string, mobile: string): Promise<string> {
  return waitForCode(dataDir, mobile, 0)
}

function waitForCode(dataDir: string, mobile: string, earlier: number): Promise<string> {
  return vi.waitFor(
    async () => {
      const messages = (await readOutbox(dataDir)).filter((each) => each.mobile === mobile)
      const last = messages.slice(earlier).at(-1)
      if (last === undefined) throw new Error(`no new SMS to ${mobile}`)
      return last.params.code
    },
    { timeout: 45_000 },
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

/** Asks for a code and waits for its message: the reply does not wait for a slow provider. */
export async function receiveCode(
  { client, services }: TestApp,
  mobile: string,
  isType: SmsPurpose,
): Promise<string> {
  const { dataDir } = services.settings
  const earlier = (await readOutbox(dataDir)).filter((each) => each.mobile === mobile).length
  await askCode(client(''), mobile, isType)
  return waitForCode(dataDir, mobile, earlier)
}

/** A signed-in client of a student for an app without a port. */
export async function studentClient(
  app: TestApp,
  mobile: string,
): Promise<Api & { readonly token: string; readonly refreshToken: string }> {
  const { token, refreshToken } = await app.client('').student.signIn({
    body: { account: mobile, password: await receiveCode(app, mobile, '1'), grantType: 'stupc' },
  })
  return { ...app.client(token), token, refreshToken }
}
