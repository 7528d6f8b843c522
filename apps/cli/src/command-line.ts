import { type Locale, parseLocale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { CommandError, exitCodes } from './exit.ts'
import { createOutput, type Output } from './terminal/output.ts'
import { type SessionFile, sessionFile } from './session/session-file.ts'

/** Flags of every command. */
export interface GlobalFlags {
  readonly server?: string
  readonly profile?: string
  readonly json?: boolean
  readonly lang?: string
  readonly jq?: string
  readonly template?: string
  readonly force?: boolean
}

/**
 * Environment of a command, built once per process; commands read neither the environment nor
 * `process` themselves.
 */
export interface CommandLine {
  readonly server: string
  /** Name under which the session is stored. */
  readonly profile: string
  /** The user named the profile. */
  readonly isProfileNamed?: boolean
  readonly locale: Locale
  readonly output: Output
  readonly sessions: SessionFile
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** The command may ask questions: stdin and stderr are a terminal. */
  readonly interactive: boolean
  /** Files that exist are written over. */
  readonly overwrites: boolean
}

const defaultServer = 'http://127.0.0.1:7300' // docs/rules/contract.md#running

/**
 * Normalised address of a server.
 * @throws CommandError (usage) for anything but an http or https URL
 */
function parseAddress(text: string, locale: Locale): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badServer', { value: text }))
  return text.replace(/\/+$/, '')
}

/**
 * Language of the terminal: the flag, `JIAOWU_LANG`, then the locale variables; Chinese if none is
 * set.
 */
export function localeOfEnv(flag: string | undefined, env: NodeJS.ProcessEnv): Locale {
  return parseLocale(flag ?? env.JIAOWU_LANG ?? env.LC_ALL ?? env.LC_MESSAGES ?? env.LANG)
}

/** @throws CommandError (usage) for a language that the product does not speak */
function assertLanguage(flag: string | undefined, locale: Locale): void {
  if (flag !== undefined && !/^(zh|en)(?:[-_]|$)/i.test(flag))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badLang', { value: flag }))
}

/** The text, or undefined if it is empty: an empty environment variable counts as not set. */
const toGiven = (text: string | undefined) => (text === undefined || text === '' ? undefined : text)

export function commandLine(
  flags: GlobalFlags,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): CommandLine {
  const locale = localeOfEnv(flags.lang, env)
  assertLanguage(flags.lang, locale)
  if (flags.jq !== undefined && flags.template !== undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.oneFilter'))
  const sessions = sessionFile(env, locale)
  return {
    locale,
    sessions,
    env,
    signal,
    ...serverAndProfile(flags, env, sessions, locale),
    output: createOutput(process, flags.json === true, locale, flags, env),
    overwrites: flags.force === true,
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  }
}

/**
 * Server: `--server`, `JIAOWU_SERVER`, that of the profile, the default
 * (docs/rules/contract.md#command-line). Profile: the named one, whatever the server; else the
 * current one if it is on this server, else another one on this server, else a new one with the
 * host as its name.
 */
function serverAndProfile(
  { server, profile }: GlobalFlags,
  env: NodeJS.ProcessEnv,
  sessions: SessionFile,
  locale: Locale,
): Pick<CommandLine, 'server' | 'profile' | 'isProfileNamed'> {
  const name = toGiven(profile) ?? toGiven(env.JIAOWU_PROFILE)
  const current = sessions.current()
  const address = parseAddress(
    server ??
      toGiven(env.JIAOWU_SERVER) ??
      sessions.get(name ?? current ?? '')?.server ??
      defaultServer,
    locale,
  )
  if (name !== undefined) return { server: address, profile: name, isProfileNamed: true }
  if (current !== null && sessions.get(current)?.server === address)
    return { server: address, profile: current }
  const other = Object.entries(sessions.profiles()).find(([, each]) => each.server === address)?.[0]
  return { server: address, profile: other ?? new URL(address).host }
}
