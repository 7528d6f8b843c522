import { setTimeout as pause } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import { captchaTicketHeader, problemOf, type SmsPurpose } from '@jiaowu/api'
import type { Tokens, World } from './world.ts'

/** Whether codes can be asked for and read here: the answer to the pictures, and where the messages go. */
export function readsCodes({ settings }: World): boolean {
  return settings.captcha !== null && settings.smsOutbox !== null
}

/** A ticket for one SMS (docs/rules/contract.md#student-service). */
export async function newTicket({ stranger, settings }: World): Promise<string> {
  const { key } = await stranger.student.captcha({})
  return (await stranger.student.verify({ body: { key, verifyTxt: settings.captcha ?? '' } }))
    .ticket
}

export async function askCode(world: World, mobile: string, isType: SmsPurpose): Promise<number> {
  return (
    await world.stranger.student.smsCode({
      query: { mobile, isType },
      headers: { [captchaTicketHeader]: await newTicket(world) },
    })
  ).lockSeconds
}

let strangers = Math.floor(Date.now() / 100) % 100_000_000

/** A mobile nobody has asked a code for: each is good for one a minute. */
export function newMobile(): string {
  strangers = (strangers + 1) % 100_000_000
  return `199${String(strangers).padStart(8, '0')}`
}

/** The code that is sent to a mobile now. @throws ApiProblem 429 when it is too soon */
export async function codeFor(world: World, mobile: string, purpose: SmsPurpose): Promise<string> {
  const file = world.settings.smsOutbox ?? '',
    before = (await messages(file)).length
  await askCode(world, mobile, purpose)
  // The message is written by whoever delivers it, a moment later.
  for (let tries = 0; tries < 100; tries += 1) {
    const code = (await messages(file))
      .slice(before)
      .findLast((message) => message.mobile === mobile)?.params.code
    if (code !== undefined) return code
    await pause(50)
  }
  throw new Error(`no SMS to ${mobile} in ${file}`)
}

async function messages(file: string): Promise<{ mobile: string; params: { code: string } }[]> {
  return (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { mobile: string; params: { code: string } })
}

/** A code sent to one of the students. Each may ask once a minute, so the next one is taken where it is too soon. @throws when none may */
export async function codeForStudent(
  world: World,
): Promise<{ readonly mobile: string; readonly code: string }> {
  for (const mobile of world.settings.students) {
    try {
      return { mobile, code: await codeFor(world, mobile, '1') }
    } catch (error) {
      if (problemOf(error).code !== 429) throw error
    }
  }
  throw new Error(
    'every student has asked for a code within the last minute: name more in PATHS_STUDENTS',
  )
}

const signedIn = new WeakMap<World, Promise<Tokens & { readonly mobile: string }>>()

/** A student's session, the same for all paths. */
export function studentTokens(world: World): Promise<Tokens & { readonly mobile: string }> {
  const known =
    signedIn.get(world) ??
    codeForStudent(world).then(async ({ mobile, code }) => {
      const { token, refreshToken } = await world.stranger.student.signIn({
        body: { account: mobile, password: code, grantType: 'stupc' },
      })
      world.later("a student's session", async () => {
        await world.person({ access: token, refresh: refreshToken }).api.session.signOut({})
      })
      return { access: token, refresh: refreshToken, mobile }
    })
  signedIn.set(world, known)
  return known
}
