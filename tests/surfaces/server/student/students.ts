import { readFile } from 'node:fs/promises'
import { captchaTicketHeader, type SmsPurpose } from '@jiaowu/api/contract/student/student'
import { toProblem } from '@jiaowu/api/problem'
import { waitUntilFits } from '../checks.ts'
import type { Tokens, RunContext } from '../run-context.ts'

/**
 * Whether codes can be requested and read here: the answer to captchas, and the file of messages.
 */
export function readsCodes({ settings }: RunContext): boolean {
  return settings.captcha !== null && settings.smsOutbox !== null
}

/** A ticket for one SMS (docs/rules/contract.md#student-service). */
export async function newTicket({ anonymous, settings }: RunContext): Promise<string> {
  const { key } = await anonymous.student.captcha({})
  return (await anonymous.student.verify({ body: { key, verifyTxt: settings.captcha ?? '' } }))
    .ticket
}

export async function askCode(
  run: RunContext,
  mobile: string,
  isType: SmsPurpose,
): Promise<number> {
  return (
    await run.anonymous.student.smsCode({
      query: { mobile, isType },
      headers: { [captchaTicketHeader]: await newTicket(run) },
    })
  ).lockSeconds
}

let strangers = Math.floor(Date.now() / 100) % 100_000_000

/** A mobile number without a recent code: each may request one per minute. */
export function newMobile(): string {
  strangers = (strangers + 1) % 100_000_000
  return `199${String(strangers).padStart(8, '0')}`
}

/**
 * Requests a code for a mobile number and returns it. @throws ApiProblem 429 when it is too soon
 */
export async function codeFor(
  run: RunContext,
  mobile: string,
  purpose: SmsPurpose,
): Promise<string> {
  const file = run.settings.smsOutbox ?? '',
    before = (await messages(file)).length
  await askCode(run, mobile, purpose)
  // The delivery writes the message a moment later.
  const newest = async () =>
    (await messages(file)).slice(before).findLast((message) => message.mobile === mobile)
  const message = await waitUntilFits(
    `an SMS to ${mobile} in ${file}`,
    5,
    newest,
    (sms) => sms !== undefined,
  )
  return message?.params.code ?? ''
}

interface Sms {
  readonly mobile: string
  readonly params: { readonly code: string }
}

async function messages(file: string): Promise<readonly Sms[]> {
  return (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sms)
}

/**
 * A code for one of the students. Each may request one per minute, so the next student is tried
 * when it is too soon. @throws when none may
 */
export async function codeForStudent(
  run: RunContext,
): Promise<{ readonly mobile: string; readonly code: string }> {
  for (const mobile of run.settings.students) {
    try {
      return { mobile, code: await codeFor(run, mobile, '1') }
    } catch (error) {
      if (toProblem(error).code !== 429) throw error
    }
  }
  throw new Error(
    'every student has asked for a code within the last minute: name more in PATHS_STUDENTS',
  )
}

/** Signs a student in until the run ends. */
export async function studentTokens(
  run: RunContext,
): Promise<Tokens & { readonly mobile: string }> {
  const { mobile, code } = await codeForStudent(run)
  const { token, refreshToken } = await run.anonymous.student.signIn({
    body: { account: mobile, password: code, grantType: 'stupc' },
  })
  const tokens = { access: token, refresh: refreshToken }
  run.onClose("a student's session", () => run.userWith(tokens).api.session.signOut({}))
  return { ...tokens, mobile }
}
