import { type Locale, localeOf, t } from '@jiaowu/api'
import { CommandError, exitCodes } from './exit.ts'
import { createOutput, type Output } from './terminal/output.ts'
import { type SessionFile, sessionFile } from './session/session-file.ts'

/** Flags every command has. */
export interface GlobalFlags {
  readonly server?: string
  readonly profile?: string
  readonly json?: boolean
  readonly lang?: string
}

/** What a command runs with. Built once per process; commands never read the environment themselves. */
export interface CommandLine {
  readonly server: string
  /** The name under which the session is kept. */
  readonly profile: string
  readonly locale: Locale
  readonly output: Output
  readonly sessions: SessionFile
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Questions may be asked: stdin and stderr are a terminal. */
  readonly interactive: boolean
}

const defaultServer = 'http://127.0.0.1:7300' // docs/rules/contract.md#running

/** A server's address as it is kept and compared. @throws CommandError (usage) when it is none */
export function addressOf(text: string, locale: Locale): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badServer', { value: text }))
  return text.replace(/\/+$/, '')
}

/** The language of a terminal: the flag, `JIAOWU_LANG`, then the locale variables; Chinese when they say nothing. */
export function localeOfEnv(flag: string | undefined, env: NodeJS.ProcessEnv): Locale {
  return localeOf(flag ?? env.JIAOWU_LANG ?? env.LC_ALL ?? env.LC_MESSAGES ?? env.LANG)
}

const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : text)

export function commandLine(
  flags: GlobalFlags,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): CommandLine {
  const locale = localeOfEnv(flags.lang, env)
  const sessions = sessionFile(env)
  return {
    locale,
    sessions,
    env,
    signal,
    ...chosen(flags, env, sessions, locale),
    output: createOutput(process, flags.json === true),
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  }
}

/**
 * Server by `--server`, `JIAOWU_SERVER`, the profile, the default (docs/rules/contract.md#command-line). A named profile keeps its name whatever the server; without
 * a name it is the one in use when that is its server, else one of that server, else a new one called after the server.
 */
function chosen(
  { server, profile }: GlobalFlags,
  env: NodeJS.ProcessEnv,
  sessions: SessionFile,
  locale: Locale,
): { readonly server: string; readonly profile: string } {
  const name = given(profile) ?? given(env.JIAOWU_PROFILE)
  const current = sessions.current()
  const address = addressOf(
    server ??
      given(env.JIAOWU_SERVER) ??
      sessions.get(name ?? current ?? '')?.server ??
      defaultServer,
    locale,
  )
  if (name !== undefined) return { server: address, profile: name }
  if (current !== null && sessions.get(current)?.server === address)
    return { server: address, profile: current }
  const other = Object.entries(sessions.profiles()).find(([, each]) => each.server === address)?.[0]
  return { server: address, profile: other ?? new URL(address).host }
}
