import { ApiProblem, problemText, t } from '@jiaowu/api'
import { CommanderError } from 'commander'
import { localeOfEnv } from './command-line.ts'
import { CommandError, exitCodeOf, exitCodes } from './exit.ts'
import { createProgram } from './program.ts'
import { clean } from './terminal/terminal-text.ts'
import { usageFault } from './usage-fault.ts'

const stop = new AbortController()
// Listened to for good: Ink would end the process at once if it were the only one left who hears. The second time nobody waits.
function interrupt() {
  if (stop.signal.aborted) process.exit(exitCodes.interrupted)
  stop.abort(new CommandError(exitCodes.interrupted, ''))
}
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
// A closed pipe (`| head`) ends the command quietly, as other tools do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

function flagOf(name: string) {
  const at = process.argv.findIndex((word) => word === name || word.startsWith(`${name}=`))
  return at < 2 ? undefined : (process.argv[at]?.split('=')[1] ?? process.argv[at + 1])
}
const locale = localeOfEnv(flagOf('--lang'), process.env)
const wantsJson = process.argv.includes('--json')
function tell(message: string, more: Record<string, unknown>) {
  return process.stderr.write(
    wantsJson
      ? `${JSON.stringify({ error: { message: clean(message), ...more } })}\n`
      : `${clean(message)}\n`,
  )
}

function exitWith(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done
    if (wantsJson) tell(usageFault(locale, error.message), { code: exitCodes.usage })
    return exitCodes.usage
  }
  if (stop.signal.aborted) {
    tell(t(locale, 'cli.interrupted'), { code: exitCodes.interrupted })
    return exitCodes.interrupted
  }
  if (error instanceof CommandError) {
    if (error.message !== '') tell(error.message, { code: error.exitCode })
    return error.exitCode
  }
  if (error instanceof ApiProblem) {
    const { problem } = error
    tell(problemText(locale, problem), {
      code: problem.code,
      issues: problem.issues,
      traceId: problem.traceId,
    })
    if (!wantsJson) for (const { path, msg } of problem.issues) tell(`  ${path}: ${msg}`, {})
    return exitCodeOf(problem)
  }
  tell(
    `${t(locale, 'cli.fault')}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    { code: exitCodes.fault },
  )
  return exitCodes.fault
}

try {
  await createProgram(locale, stop.signal, wantsJson).parseAsync()
} catch (error) {
  process.exitCode = exitWith(error)
}
