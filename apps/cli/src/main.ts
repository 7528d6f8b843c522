import { ApiProblem, problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { CommanderError } from 'commander'
import { localeOfEnv } from './command-line.ts'
import { CommandError, toExitCode, exitCodes } from './exit.ts'
import { createProgram } from './program.ts'
import { clean, jsonText } from './terminal/terminal-text.ts'
import { usageFault } from './usage-fault.ts'

const interruption = new AbortController()
/** The module of proxies is loaded only where one is set. */
const hasProxies = Object.entries(process.env).some(
  ([name, value]) => /^https?_proxy$/i.test(name) && value !== '',
)

// Stays registered: without another listener, Ink would end the process at once. A second signal
// exits without cleanup.
function interrupt() {
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
  interruption.abort(new CommandError(exitCodes.interrupted, ''))
}
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
// A closed pipe (`| head`) ends the command without an error, like other tools.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done)
    throw error
  })

function readFlag(name: string) {
  const at = process.argv.findIndex((word) => word === name || word.startsWith(`${name}=`))
  return at < 2 ? undefined : (process.argv[at]?.split('=')[1] ?? process.argv[at + 1])
}
const locale = localeOfEnv(readFlag('--lang'), process.env)
const wantsJson = process.argv.includes('--json')
function reportError(message: string, more: Record<string, unknown>) {
  return process.stderr.write(
    wantsJson
      ? `${jsonText({ error: { message: clean(message), ...more } })}\n`
      : `${clean(message)}\n`,
  )
}

/** A proxy may be why the server was not reached, or answered something else. */
async function reportProxies() {
  if (!hasProxies || wantsJson) return
  reportError((await import('./session/proxy.ts')).proxyHint(process.env, locale), {})
}

async function exitWith(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done
    if (wantsJson) reportError(usageFault(locale, error.message), { code: exitCodes.usage })
    return exitCodes.usage
  }
  if (interruption.signal.aborted) {
    // A command that leaves something running says so instead.
    const own = error instanceof CommandError ? error.message : ''
    reportError(own === '' ? t(locale, 'cli.interrupted') : own, { code: exitCodes.interrupted })
    return exitCodes.interrupted
  }
  if (error instanceof CommandError) {
    if (error.message !== '') reportError(error.message, { code: error.exitCode })
    if (error.exitCode === exitCodes.network) await reportProxies()
    return error.exitCode
  }
  if (error instanceof ApiProblem) {
    const { problem } = error
    reportError(problemText(locale, problem), {
      code: problem.code,
      issues: problem.issues,
      traceId: problem.traceId,
    })
    if (!wantsJson) for (const { path, msg } of problem.issues) reportError(`  ${path}: ${msg}`, {})
    const isUnread =
      typeof problem.message !== 'string' && problem.message.key === 'problem.notJson'
    if (isUnread || toExitCode(problem) === exitCodes.network) await reportProxies()
    return toExitCode(problem)
  }
  reportError(
    `${t(locale, 'cli.fault')}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    { code: exitCodes.fault },
  )
  return exitCodes.fault
}

try {
  if (hasProxies) (await import('./session/proxy.ts')).useProxy(process.env, locale)
  await createProgram(locale, interruption.signal, wantsJson).parseAsync()
} catch (error) {
  process.exitCode = await exitWith(error)
}
