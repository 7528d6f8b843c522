// The password once more, for calls that a session alone is not enough for (docs/rules/security.md#s6).
import { type ApiProblem, problemText, toProblem } from '@jiaowu/api/problem'
import {
  createFreshProof,
  type FreshProof,
  type ProofBody,
  type ProofCaptcha,
  readCaptchaKey,
  toProofBody,
} from '@jiaowu/api/client/fresh-proof'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, toExitCode, exitCodes } from '../exit.ts'
import { askOnTerminal } from '../terminal/prompt.ts'
import type { Api } from './api.ts'
import { proofByDevice } from './device-sign-in.ts'

/** The question of an open screen, which holds the keyboard; a process shows one screen at a time. */
let onScreen: { readonly proof: FreshProof; api: Api | null } | null = null

/** Lets a screen ask instead of a prompt, until the returned function is called. */
export function askOnScreen(): {
  readonly proof: FreshProof
  readonly api: () => Api | null
  readonly close: () => void
} {
  const mine = { proof: createFreshProof(), api: null as Api | null }
  onScreen = mine
  return {
    proof: mine.proof,
    api: () => mine.api,
    close: () => {
      if (onScreen === mine) onScreen = null
    },
  }
}

/**
 * A token for the call that was refused: from `JIAOWU_PASSWORD`, else from the person at the terminal.
 * @throws CommandError (not signed in) where nobody can be asked: a new sign-in is a proof as well
 */
export async function askForProof(
  line: CommandLine,
  api: Api,
  refused: ApiProblem,
): Promise<string | null> {
  const { env, locale, interactive, output } = line
  const known = env.JIAOWU_PASSWORD
  if (known !== undefined && known !== '') return await proofBy(line, api, { password: known })
  if (onScreen !== null) {
    onScreen.api = api
    return await onScreen.proof.ask()
  }
  if (!interactive) throw new CommandError(exitCodes.signedOut, t(locale, 'cli.proofNeeded'))
  output.talk(problemText(locale, refused.problem))
  return await proofOfPerson(line, api, readProofKinds(refused.problem.data))
}

async function proofBy(
  { locale, signal }: CommandLine,
  api: Api,
  body: ProofBody,
): Promise<string> {
  try {
    return (await api.reauthentication.prove({ body, signal })).token
  } catch (error) {
    signal.throwIfAborted()
    const problem = toProblem(error)
    throw new CommandError(toExitCode(problem), problemText(locale, problem))
  }
}

/** Kinds of proof that the server takes: `device` for sessions of a browser, `totp` with a second factor. */
function readProofKinds(data: unknown): readonly unknown[] {
  const kinds = typeof data === 'object' && data !== null && 'kinds' in data ? data.kinds : []
  return Array.isArray(kinds) ? kinds : []
}

/** Asks until the password is right, the person leaves it empty, or the server makes them wait. */
async function proofOfPerson(
  line: CommandLine,
  api: Api,
  kinds: readonly unknown[],
): Promise<string | null> {
  const { locale, signal, output } = line
  let more: ProofCaptcha = {}
  const byBrowser = kinds.includes('device')
  for (;;) {
    const question = t(
      locale,
      byBrowser
        ? 'cli.askPasswordOrBrowser'
        : kinds.includes('totp')
          ? 'cli.askPasswordOrCode'
          : 'cli.askPassword',
    )
    const password = await askOnTerminal(question, signal, { secret: true })
    if (password === '') return byBrowser ? await proofByDevice(line, api) : null
    try {
      return (await api.reauthentication.prove({ body: toProofBody(password, more), signal })).token
    } catch (error) {
      signal.throwIfAborted()
      const problem = toProblem(error)
      if (problem.code !== 400)
        throw new CommandError(toExitCode(problem), problemText(locale, problem))
      output.talk(problemText(locale, problem))
      more = await readCaptcha(line, api, readCaptchaKey(problem.data))
    }
  }
}

async function readCaptcha(
  line: CommandLine,
  api: Api,
  captchaKey: string | null,
): Promise<ProofCaptcha> {
  if (captchaKey === null) return {}
  const { showPicture } = await import('../terminal/picture.ts')
  const picture = await api.session.captcha({ query: { key: captchaKey }, signal: line.signal })
  await showPicture(line, picture, 'captcha.png')
  return {
    captchaKey,
    captcha: (await askOnTerminal(t(line.locale, 'cli.askCaptcha'), line.signal)).trim(),
  }
}
