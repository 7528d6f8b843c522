import type { PrintOrder } from '@jiaowu/api/contract/student/student'
import type { Api, RunContext } from '../run-context.ts'

export type Cashier = ReturnType<typeof createCashier>

/**
 * Refunds what was paid on a path (one user requests it, another approves): the document is for
 * sale again, so the server can be walked repeatedly.
 */
export function createCashier(run: RunContext, api: Api) {
  const paid = new Set<string>()
  return {
    pay: async ({ orderNo, code_url }: PrintOrder) => {
      await payAtCashier(run, code_url)
      paid.add(orderNo)
    },
    giveBack: async () => {
      const { api: registrar } = await run.helper('registrar'),
        { api: admin } = await run.helper('admin')
      for (const orderNo of paid) {
        paid.delete(orderNo)
        await api.student.orderStatus({ query: { orderNo } })
        const { id } = await registrar.print.requestRefund({
          body: { orderNo, reason: run.prefix },
        })
        await admin.print.decideRefund({ params: { id }, body: { agree: true } })
      }
    },
  }
}

/** Pays at the sandbox's cashier (docs/rules/contract.md#running). */
async function payAtCashier({ wire }: RunContext, codeUrl: string | null): Promise<void> {
  const answer = await wire.fetch(codeUrl ?? '', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'button=pay',
  })
  await answer.arrayBuffer()
}
