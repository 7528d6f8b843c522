import { toProblem, problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { Tokens } from '@jiaowu/api/contract/session'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLine } from '../command-line.ts'
import { CommandError, toExitCode, exitCodes } from '../exit.ts'
import type { Api } from './api.ts'

/** RFC 8628 §3.5: a device that hears nothing asks less often. */
const backoff = 5

/**
 * Signs in by a browser: shows a code and waits until a person has typed and confirmed it there
 * (docs/rules/security.md#s7). @throws CommandError when it is refused or nobody confirms in time
 */
export async function tokensByDevice(line: CommandLine, api: Api): Promise<Tokens> {
  const { locale, output, server, signal } = line
  const { deviceCode, userCode, verificationPath, expiresIn, interval } = await api.device.start({
    signal,
  })
  const minutes = Math.floor(expiresIn / 60)
  const address = `${server}${verificationPath}`
  output.talk(t(locale, 'cli.device.open', { address, code: userCode, minutes }))
  const until = Date.now() + expiresIn * 1000
  let seconds = interval
  while (Date.now() < until) {
    await sleep(seconds * 1000, undefined, { signal })
    try {
      return await api.device.poll({ body: { deviceCode }, signal })
    } catch (error) {
      signal.throwIfAborted()
      const problem = toProblem(error)
      if (problem.kind === 'timeout' || problem.kind === 'transport') seconds += backoff
      else if (waits(problem.data)) seconds = problem.data.interval
      else throw new CommandError(toExitCode(problem), problemText(locale, problem))
    }
  }
  throw new CommandError(exitCodes.refused, t(locale, 'device.expired'))
}

/** Whether the device has to go on asking, and how often. */
function waits(data: unknown): data is { readonly interval: number } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'error' in data &&
    (data.error === 'authorization_pending' || data.error === 'slow_down') &&
    'interval' in data &&
    typeof data.interval === 'number'
  )
}
