import type { CodeStatus, PrintOrder, ReportItem } from '@jiaowu/api/contract/student/student'
import { limits } from '@jiaowu/api/limits'
import type { DownloadPorts } from '@jiaowu/machines/download/ports'
import type { EventObject } from 'xstate'
import { downloadPorts } from '../../../../apps/web/src/ports/student-ports.ts'
import { downloadModels } from '../../../machines/download/model.ts'
import { type Faults, must, expectSame, waitUntilFits } from '../checks.ts'
import { answers, type Calls, type CallOf, refuses } from '../endings.ts'
import { fileSink } from '../file-sink.ts'
import type { Api } from '../run-context.ts'
import { type ServerParts, buildServerParts } from '../server-part.ts'
import { type Cashier, createCashier } from './cashier.ts'
import { pdfFaults } from './print-preview.ts'
import { readsCodes, studentTokens } from './students.ts'

/** Seconds to pay (docs/spec/2-student-service-and-designer.md §9). */
const window = limits.payWindow / 1000

/** A student lists the reports, pays at the cashier of the sandbox and downloads the document. */
export const serverDownload: ServerParts = async ({ run }) => {
  if (!readsCodes(run)) return {}
  const tokens = await studentTokens(run)
  const { api } = run.userWith(tokens)
  const { payDriver } = await run.anonymous.student.school({ query: {} })
  const visit: Visit = {
    api,
    sink: fileSink(),
    cashier: createCashier(run, api),
    paysHere: payDriver === 'sandbox',
    detail: await api.student.detail({}),
    reports: await api.student.reports({}),
    order: null,
    bought: null,
  }
  const pays = 'report.open, preview.confirm, pay.choose(wechat), pay.cancel'
  const open = 'price(five), order(open)'
  return buildServerParts({
    model: downloadModels,
    ports: downloadPorts({ api, saveFile: visit.sink.save }),
    calls: buildDocumentCalls(visit),
    start: ({ now }) => ({ account: tokens.mobile, facts: null, now }),
    samples: { 'report.open': { first: { reportId: visit.reports[0]?.id ?? '' } } },
    translate: (event) => openBoughtReport(visit, event),
    after: () => leave(visit),
    key: ({ value, context: c }) => [
      value,
      c.student !== null,
      c.reports.length > 0,
      c.outdated,
      c.report !== null,
      (c.price ?? 0) > 0,
      c.pdf !== null,
      c.order !== null,
      c.problem?.kind ?? null,
    ],
    parts: {
      list: {
        events: 'list.refresh, report.open, preview.retry, preview.cancel',
        ends: 'price(five, gone)',
      },
      ...(visit.paysHere
        ? {
            owned: {
              before: async () => {
                visit.bought = await buy(visit)
              },
              events: 'report.open, preview.confirm, success.home',
              ends: 'price(free), order(paid)',
            },
            refunded: {
              events: `${pays}, failure.cancel`,
              ends: `${open}, orderStatus(open, refund), cancelOrder(refund)`,
            },
          }
        : {}),
      pay: {
        events: `${pays}, pay.back, failure.cancel, success.home`,
        ends: `${open}, orderStatus(open, paid, closed), cancelOrder(closed)`,
      },
      // The payment arrives while the order is being cancelled: the document is delivered
      // nevertheless.
      crossing: {
        events: `${pays}, success.home`,
        ends: `${open}, orderStatus(paid), cancelOrder(refused)`,
      },
    },
  })
}

/** A student at the download page; `reports` and `buildOrderCall` are those of the last answers. */
interface Visit {
  readonly api: Api
  readonly sink: ReturnType<typeof fileSink>
  readonly cashier: Cashier
  readonly paysHere: boolean
  readonly detail: Awaited<ReturnType<Api['student']['detail']>>
  reports: readonly ReportItem[]
  order: PrintOrder | null
  /** The report that was paid for before the path. */
  bought: string | null
}
type Call<Name extends keyof DownloadPorts> = CallOf<DownloadPorts, Name>

function buildDocumentCalls(visit: Visit): Calls<DownloadPorts> {
  const { detail, sink } = visit
  return {
    detail: {
      student: answers(detail, { check: (answer) => expectSame('detail', detail, answer) }),
    },
    reports: {
      two: answers(visit.reports, { check: (reports) => checkReports(visit, reports) }),
    },
    price: price(),
    preview: { pdf: answers('cGRm', { check: (pdf) => pdfFaults(pdf) }) },
    order: buildOrderCall(visit),
    orderStatus: orderStatus(visit),
    cancelOrder: cancelOrder(visit),
    download: { saved: answers(undefined, { check: () => pdfFaults(sink.take()) }) },
  }
}

function price(): Call<'price'> {
  const sample = { REPORT_NAME: 'n', PRINT_PRICE: 5 }
  return {
    five: answers(sample, {
      check: ({ PRINT_PRICE }) =>
        must(PRINT_PRICE > 0, `PRINT_PRICE: ${PRINT_PRICE} for a document not paid for`),
    }),
    free: answers(
      { ...sample, PRINT_PRICE: 0 },
      {
        check: ({ PRINT_PRICE }) =>
          expectSame('PRINT_PRICE of a document paid for', 0, PRINT_PRICE),
      },
    ),
    gone: refuses(404, { input: { reportId: '1' } }),
  }
}

function buildOrderCall(visit: Visit): Call<'order'> {
  const takes = (given: PrintOrder, status: CodeStatus): Faults => {
    visit.order = given
    return expectSame('code_status', status, given.code_status)
  }
  const due = { orderNo: 'o', code_status: '0', code_url: 'u', amount: 5, expires_in: window }
  const paid = { orderNo: 'o', code_status: '1', code_url: null, amount: 0, expires_in: 0 }
  return {
    ...(visit.paysHere ? { paid: answers(paid, { check: (given) => takes(given, '1') }) } : {}),
    open: answers(due, {
      check: (given) => [
        takes(given, '0'),
        must(given.code_url !== null, 'code_url: nothing to pay with'),
        must(given.expires_in > 0 && given.expires_in <= window, `expires_in: ${given.expires_in}`),
      ],
      timeless: (given) => ({ ...(given as PrintOrder), expires_in: window }),
    }),
  }
}

function orderStatus(visit: Visit): Call<'orderStatus'> {
  return {
    open: statusIs('0'),
    closed: statusIs('2', ({ orderNo }) => cancelElsewhere(visit.api, orderNo)),
    ...(visit.paysHere
      ? { paid: statusIs('1', () => pay(visit)), refund: statusIs('4', () => refund(visit)) }
      : {}),
  }
}

function cancelOrder(visit: Visit): Call<'cancelOrder'> {
  const data = () => ({ code_status: '1' })
  return {
    closed: statusIs('2'),
    ...(visit.paysHere
      ? {
          refund: statusIs('4', () => refund(visit)),
          refused: refuses({ codes: 409, data }, () => pay(visit)),
        }
      : {}),
  }
}

function statusIs(
  status: CodeStatus,
  prepare: (asked: { readonly orderNo: string }) => Promise<unknown> = () => Promise.resolve(),
): Call<'orderStatus'>[string] {
  return answers({ code_status: status }, async (asked) => {
    await prepare(asked)
    return { check: ({ code_status }) => expectSame('code_status', status, code_status) }
  })
}

/** The reports are those that the server lists; one at least is for sale afterwards. */
async function checkReports(visit: Visit, reports: readonly ReportItem[]): Promise<Faults> {
  const { api, cashier } = visit
  visit.reports = reports
  const faults = expectSame('reports', await api.student.reports({}), reports)
  if (unpaid(visit) === undefined) {
    await cashier.giveBack()
    visit.reports = await api.student.reports({})
  }
  return faults
}

/** The order of the path is paid before the call. */
async function pay({ order: waiting, cashier }: Visit): Promise<void> {
  if (waiting !== null) await cashier.pay(waiting)
}

async function refund(visit: Visit): Promise<void> {
  await pay(visit)
  await visit.cashier.giveBack()
}

/** A document that was not paid for: paid ones are free. */
function unpaid({ reports }: Visit): ReportItem | undefined {
  return reports.find(({ owned }) => !owned)
}

function openBoughtReport(visit: Visit, event: EventObject): EventObject {
  return event.type === 'report.open'
    ? Object.assign({}, event, { reportId: visit.bought ?? unpaid(visit)?.id ?? '' })
    : event
}

/** The id of a report that was paid for before the path. */
async function buy(visit: Visit): Promise<string> {
  const { student } = visit.api
  visit.reports = await student.reports({})
  const known = visit.reports.find(({ owned }) => owned)?.id
  if (known !== undefined) return known
  const reportId = unpaid(visit)?.id ?? ''
  const payValue = (await student.price({ query: { reportId } })).PRINT_PRICE
  const bought = await student.order({ body: { reportId, payType: 'wechat', payValue } })
  await visit.cashier.pay(bought)
  await student.orderStatus({ query: { orderNo: bought.orderNo } })
  return reportId
}

/** Refunds what the path paid and closes its order. */
async function leave(visit: Visit): Promise<void> {
  await visit.cashier.giveBack()
  if (visit.order !== null) await cancel(visit.api, visit.order.orderNo)
  visit.order = null
  visit.bought = null
}

/** Cancels the order in another session; the provider may take a moment to close it. */
async function cancelElsewhere(api: Api, orderNo: string): Promise<void> {
  await cancel(api, orderNo)
  const status = () => api.student.orderStatus({ query: { orderNo } })
  await waitUntilFits('the order is closed', 5, status, ({ code_status }) => code_status !== '0')
}

async function cancel(api: Api, orderNo: string): Promise<void> {
  await api.student.cancelOrder({ body: { orderNo } }).catch(() => {})
}
