import type { contract } from '@jiaowu/api/contract/contract'
import type { Handlers } from '@jiaowu/api/endpoint'
import type { PlatformContext } from '../context.ts'
import { createKeyedQueue } from '../limits/keyed-queue.ts'
import { recordChecks } from './daily.ts'
import { sharedChain } from './line.ts'
import { verifyChain } from './verify.ts'

/** Well below the deadline of a request (docs/rules/security.md#r18). */
const budgetMs = 8_000
const oneAtATime = createKeyedQueue()

export const auditHandlers: Handlers<typeof contract, PlatformContext>['audit'] = {
  verify: (_input, context) =>
    oneAtATime('verify', async () => {
      const deadline = performance.now() + budgetMs
      const reports = [
        await verifyChain(context, sharedChain, { deadline }),
        await verifyChain(context, context.subject.tenant, { deadline }),
      ]
      await recordChecks(context, reports)
      const broken = reports.find((report) => report.broken !== null)?.broken ?? null
      return {
        lines: reports.reduce((sum, { lines }) => sum + lines, 0),
        complete: reports.every(({ complete }) => complete),
        broken,
      }
    }),
}
