import { type Locale, localeOf, t } from '@jiaowu/api'
import { CommandError, exitCodes } from './exit.ts'
import { createOutput, type Output } from './output.ts'
import { type SessionFile, sessionFile } from './session-file.ts'

/** Flags every command has. */
export interface GlobalFlags {
  readonly server?: string
  readonly json?: boolean
  readonly lang?: string
}

/** What a command runs with. Built once per process; commands never read the environment themselves. */
export interface CommandLine {
  readonly server: string
  readonly locale: Locale
  readonly output: Output
  readonly sessions: SessionFile
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  readonly interactive: boolean
}

const defaultServer = 'http://127.0.0.1:7300' // contract §1

const addressOf = (text: string, locale: Locale): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new CommandError(exitCodes.usage, t(locale, 'cli.badServer', { value: text }))
  return text.replace(/\/+$/, '')
}

/** The language of a terminal: the flag, `JIAOWU_LANG`, then the locale variables; Chinese when they say nothing. */
export const localeOfEnv = (flag: string | undefined, env: NodeJS.ProcessEnv): Locale => localeOf(flag ?? env.JIAOWU_LANG ?? env.LC_ALL ?? env.LC_MESSAGES ?? env.LANG)

/** Server chosen by flag, `JIAOWU_SERVER`, the saved profile, the default (contract §9). */
export const commandLine = (flags: GlobalFlags, signal: AbortSignal, env: NodeJS.ProcessEnv = process.env): CommandLine => {
  const locale = localeOfEnv(flags.lang, env)
  const sessions = sessionFile(env)
  return {
    locale, sessions, env, signal,
    server: addressOf(flags.server ?? env.JIAOWU_SERVER ?? sessions.server() ?? defaultServer, locale),
    output: createOutput(process, flags.json === true),
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  }
}
