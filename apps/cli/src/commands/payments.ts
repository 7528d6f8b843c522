// Orders of documents and refunds, for staff (docs/rules/contract.md#student-service).
import { type Refund, refundStates } from '@jiaowu/api/contract/student/print'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import type { Api } from '../session/api.ts'
import { connect } from '../session/connect.ts'
import { readPageNumber } from '../terminal/numbers.ts'
import { getRow, listRows, type ListFlags } from './entity/read.ts'

const orders = 'RPT_ORDER'

/** `order ls`: the list of orders, with the options of every list. */
export function listOrders(line: CommandLine, flags: ListFlags): Promise<void> {
  return listRows(line, orders, flags)
}

/** `order show NUMBER`. */
export async function showOrder(line: CommandLine, orderNo: string): Promise<void> {
  const { api } = connect(line)
  await getRow(line, orders, await findOrder(line, api, orderNo))
}

async function findOrder(
  { locale, signal }: CommandLine,
  api: Api,
  orderNo: string,
): Promise<string> {
  const { records } = await api.entityData.page({
    params: { tag: orders },
    body: { where: { and: [{ column: 'orderNo', op: 'equal', value: orderNo }] }, pageSize: 1 },
    signal,
  })
  const [found] = records
  if (found === undefined)
    throw new CommandError(exitCodes.refused, t(locale, 'cli.order.none', { orderNo }))
  return found.id
}

/** `order cancel NUMBER`: closes an order that is not paid. */
export async function cancelOrder(line: CommandLine, orderNo: string): Promise<void> {
  const { locale, output, signal } = line
  const done = await connect(line).api.print.cancelOrder({ body: { orderNo }, signal })
  if (done.code_status !== '2')
    throw new CommandError(exitCodes.refused, t(locale, 'cli.order.notCancelled', { orderNo }))
  output.done(done, t(locale, 'cli.order.cancelled', { orderNo }))
}

/** `refund ls`: requests and what became of them. */
export async function listRefunds(
  line: CommandLine,
  { state, page }: { readonly state?: string; readonly page: string },
): Promise<void> {
  const { locale, output, signal } = line
  const wanted = refundStates.find((each) => each === state?.toUpperCase())
  if (state !== undefined && wanted === undefined)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.refund.badState', { value: state, known: refundStates.join(' ') }),
    )
  const pageNum = readPageNumber(page, locale)
  const { records, total } = await connect(line).api.print.refunds({
    query: { pageNum, ...(wanted !== undefined && { state: wanted }) },
    signal,
  })
  output.rows(records, () => ({
    heads: (['id', 'order', 'student', 'amount', 'state', 'reason', 'failure'] as const).map(
      (key) => t(locale, `cli.refund.${key}`),
    ),
    cells: records.map((each) => [
      each.id,
      each.orderNo,
      each.student,
      formatYuan(each.amountFen),
      each.state,
      each.reason,
      each.failure ?? '',
    ]),
  }))
  output.talk(t(locale, 'cli.page', { page: pageNum, total }))
}

const formatYuan = (fen: number) => (fen / 100).toFixed(2)

interface RequestFlags {
  readonly reason?: string
  readonly amount?: string
}

/** `refund request NUMBER`: another person decides on it. */
export async function requestRefund(
  line: CommandLine,
  orderNo: string,
  { reason, amount }: RequestFlags,
): Promise<void> {
  const { locale, output, signal } = line
  if (reason === undefined) throw new CommandError(exitCodes.usage, t(locale, 'cli.needReason'))
  const amountFen = amount === undefined ? undefined : readFen(line, amount)
  const refund = await connect(line).api.print.requestRefund({
    body: { orderNo, reason, ...(amountFen !== undefined && { amountFen }) },
    signal,
  })
  output.done(refund, t(locale, 'cli.refund.requested', { id: refund.id }), refund.id)
}

/** Exact: a sum in yuan is never a floating-point number. */
function readFen({ locale }: CommandLine, text: string): number {
  const [, yuan, cents = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (yuan === undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.refund.badAmount', { value: text }))
  return Number(yuan) * 100 + Number(cents.padEnd(2, '0'))
}

/** `refund approve ID`: needs another person than the one who requested it. */
export async function approveRefund(line: CommandLine, id: string): Promise<void> {
  await sendDecision(line, id, { agree: true })
}

/** `refund reject ID`. */
export async function rejectRefund(
  line: CommandLine,
  id: string,
  { note }: { readonly note?: string },
): Promise<void> {
  await sendDecision(line, id, { agree: false, ...(note !== undefined && { note }) })
}

async function sendDecision(
  line: CommandLine,
  id: string,
  body: { readonly agree: boolean; readonly note?: string },
): Promise<void> {
  const { locale, output, signal } = line
  const refund: Refund = await connect(line).api.print.decideRefund({
    params: { id },
    body,
    signal,
  })
  output.done(refund, t(locale, 'cli.refund.decided', { state: refund.state }))
}
