import type { CaptchaWork } from '@jiaowu/api/contract/student/captcha-work'
import { installTrustedTypes } from '../app/trusted-html.ts'

/** Derives keys in a worker, so that the page stays quick. Loaded when a captcha asks for work. */
export function solveInWorker(work: CaptchaWork, signal: AbortSignal): Promise<string> {
  installTrustedTypes()
  const worker = new Worker(new URL('./work-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
    if (data === null) reject(new Error('no solution within the time'))
    else resolve(data)
  })
  worker.addEventListener('error', () => reject(new Error('the worker has failed')))
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  worker.postMessage(work)
  return promise.finally(() => worker.terminate())
}
