import { t } from '@jiaowu/api/texts/index'
import type { UserInfo } from '@jiaowu/api/contract/session'
import type { CommandLine } from '../command-line.ts'
import {
  connect,
  type ReadCaptcha,
  type ReadFactorCode,
  signInStaff,
  signInByDevice,
  signOut,
  startSession,
} from '../session/connect.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { readStdin } from '../files/text-file.ts'
import { askOnTerminal } from '../terminal/prompt.ts'

interface LoginFlags {
  readonly account?: string
  readonly passwordStdin?: boolean
  readonly tenant?: string
  readonly device?: boolean
  readonly provider?: string
  readonly totp?: string
}

/**
 * `jiaowu login`: asks for the password on a terminal or reads it from stdin (`--password-stdin`),
 * never from an argument; with `--device` a browser confirms the sign-in.
 */
export async function login(
  line: CommandLine,
  account: string | undefined,
  flags: LoginFlags,
): Promise<void> {
  const { locale, output, server } = line
  const user =
    flags.device === true
      ? await signInByDevice(line)
      : await signInByPassword(line, account, flags)
  output.done(
    { server, ...user },
    t(locale, 'cli.signedIn', { name: user.name, account: user.account, server }),
  )
  if (user.mustChangePassword) output.talk(t(locale, 'cli.mustChangePassword'))
  if (user.mustEnrolFactor === true) output.talk(t(locale, 'factor.mustEnrol'))
}

async function signInByPassword(
  line: CommandLine,
  account: string | undefined,
  flags: LoginFlags,
): Promise<UserInfo> {
  const { locale } = line
  if (flags.provider !== undefined) await assertDirectory(line, flags.provider, flags.tenant)
  if (flags.passwordStdin !== true && !line.interactive)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.needPassword'))
  const name = await resolveAccount(line, account ?? flags.account)
  const password =
    flags.passwordStdin === true
      ? (await readStdin(locale)).replace(/\r?\n$/, '')
      : await askOnTerminal(t(locale, 'cli.askPassword'), line.signal, { secret: true })
  if (password === '') throw new CommandError(exitCodes.usage, t(locale, 'cli.needPassword'))
  return await signInStaff(
    line,
    {
      account: name,
      password,
      tenant: flags.tenant ?? '',
      provider: flags.provider ?? null,
    },
    createCaptchaReader(line),
    createFactorReader(line, flags.totp),
  )
}

/**
 * Passes when a provider takes accounts and passwords. @throws CommandError (usage) that names those which do, or the
 * way to one that wants a browser
 */
async function assertDirectory(
  line: CommandLine,
  id: string,
  tenant: string | undefined,
): Promise<void> {
  const { locale, signal } = line
  const { api } = startSession(line, null)
  const providers = await api.sso.providers({
    query: tenant === undefined ? {} : { tenant },
    signal,
  })
  const found = providers.find((provider) => provider.id === id)
  if (found?.kind === 'ldap') return
  const known = providers.filter(({ kind }) => kind === 'ldap').map((provider) => provider.id)
  throw new CommandError(
    exitCodes.usage,
    found === undefined
      ? t(locale, 'cli.login.noProvider', { id, known: known.join(', ') || '-' })
      : t(locale, 'cli.login.browserProvider', { id }),
  )
}

/** Account: the argument, `JIAOWU_ACCOUNT`, that of the profile, or the answer of the user. */
async function resolveAccount(
  { locale, interactive, env, sessions, profile, signal }: CommandLine,
  given: string | undefined,
): Promise<string> {
  const account =
    given ??
    env.JIAOWU_ACCOUNT ??
    sessions.get(profile)?.account ??
    (interactive ? await askOnTerminal(t(locale, 'cli.askAccount'), signal) : '')
  if (account.trim() === '') throw new CommandError(exitCodes.usage, t(locale, 'cli.needAccount'))
  return account.trim()
}

function createCaptchaReader(line: CommandLine): ReadCaptcha {
  return async (api, key, problem) => {
    if (!line.interactive) return null
    line.output.talk(problem)
    const { showPicture } = await import('../terminal/picture.ts')
    await showPicture(
      line,
      await api.session.captcha({ query: { key }, signal: line.signal }),
      'captcha.png',
    )
    return (await askOnTerminal(t(line.locale, 'cli.askCaptcha'), line.signal)).trim()
  }
}

/** The code of the option first, then those of the person at the terminal. */
function createFactorReader(line: CommandLine, given: string | undefined): ReadFactorCode {
  let first = given
  return async (fault) => {
    const { locale, interactive, output, signal } = line
    const code = first
    first = undefined
    if (code !== undefined) return code
    if (!interactive) return null
    if (fault !== null) output.talk(fault)
    const typed = (await askOnTerminal(t(locale, 'cli.askFactor'), signal)).trim()
    return typed === '' ? null : typed
  }
}

export async function logout(line: CommandLine): Promise<void> {
  await signOut(line)
  line.output.done({ signedOut: true }, t(line.locale, 'cli.signedOut'))
}

export async function whoami(line: CommandLine): Promise<void> {
  const { api } = connect(line)
  const user = await api.session.whoami({ signal: line.signal })
  line.output.data({ server: line.server, ...user }, () => [
    t(line.locale, 'cli.signedIn', { name: user.name, account: user.account, server: line.server }),
    user.roles.join(', '),
  ])
}
