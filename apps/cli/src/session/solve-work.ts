import type { SolveWork } from '@jiaowu/api/client/captcha-work'

/** Derives keys in Node's threads. Loaded when a captcha asks for work. */
export const solveWork: SolveWork = async (challenge, signal) => {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ])
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort(), { once: true })
  const found = await solveChallenge({ challenge, deriveKey, controller })
  if (found === null) throw new Error('no solution within the time')
  return `${found.counter}.${found.derivedKey}`
}
