import { toProblem, problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { Tokens } from '@jiaowu/api/contract/session'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLine } from '../command-line.ts'
import { CommandError, toExitCode, exitCodes } from '../exit.ts'
import type { Api } from './api.ts'
import { openBrowser } from './open-browser.ts'

type Codes = Awaited<ReturnType<Api['device']['start']>>

/** RFC 8628 §3.5: a device that hears nothing asks less often. */
const backoff = 5

/**
 * Signs in by a browser: shows a code and waits until a person has typed and confirmed it there
 * (docs/rules/security.md#s7). @throws CommandError when it is refused or nobody confirms in time
 */
export async function tokensByDevice(line: CommandLine, api: Api): Promise<Tokens> {
  const codes = await api.device.start({ signal: line.signal })
  return await confirmInBrowser(line, codes, (body) =>
    api.device.poll({ body, signal: line.signal }),
  )
}

/** A token of a proof that the person gives in a browser, which is opened for it. @throws CommandError as above */
export async function proofByDevice(line: CommandLine, api: Api): Promise<string> {
  const { server, signal } = line
  const codes = await api.device.startProof({ signal })
  openBrowser(`${server}${codes.verificationPath}`)
  const { token } = await confirmInBrowser(line, codes, (body) =>
    api.device.pollProof({ body, signal }),
  )
  return token
}

async function confirmInBrowser<T>(
  { locale, output, server, signal }: CommandLine,
  { deviceCode, userCode, verificationPath, expiresIn, interval }: Codes,
  poll: (body: { readonly deviceCode: string }) => Promise<T>,
): Promise<T> {
  const minutes = Math.floor(expiresIn / 60)
  const address = `${server}${verificationPath}`
  output.talk(t(locale, 'cli.device.open', { address, code: userCode, minutes }))
  const until = Date.now() + expiresIn * 1000
  let seconds = interval
  while (Date.now() < until) {
    await sleep(seconds * 1000, undefined, { signal })
    try {
      return await poll({ deviceCode })
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
