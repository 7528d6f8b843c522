import { setTimeout as pause } from 'node:timers/promises'
import { limits, type PrintOrder, type ReportItem } from '@jiaowu/api'
import { printPorts } from '../../../../apps/web/src/ports/print-ports.ts'
import { downloadPorts } from '../../../../apps/web/src/ports/student-ports.ts'
import type { EventObject } from 'xstate'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../../../machines/spec.ts'
import { downloadModels } from '../../../machines/download/model.ts'
import { printPreviewModels } from '../../../machines/print-preview/model.ts'
import { fileSink } from '../file-sink.ts'
import { no, ok, refusedAs, same, type Scenes, type Stage } from '../server-driver.ts'
import type { ServerPart, ServerParts } from '../server-part.ts'
import { readsCodes, studentTokens } from './students.ts'
import type { Api, RunContext } from '../run-context.ts'

const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output
/** Seconds to pay (docs/spec/2-student-service-and-designer.md §9). */
const window = limits.payWindow / 1000
const pdfIn = (answer: Outcome): string[] => isPdf(Buffer.from(outputOf<string>(answer), 'base64'))

/** Staff preview a report and download it. */
export const serverPrintPreview: ServerParts = async ({ run, registrar }) => {
  const subject = await registrar(),
    subjectOf = await someStudent(run),
    sink = fileSink()
  const scenes: Scenes = {
    preview: {
      pdf: subject.usual(() => ({ check: pdfIn })),
      gone: subject.usual((asked: object) => ({
        input: { ...asked, stuNo: `${run.prefix}nobody` },
        check: (answer) => refusedAs(answer, 'refused', 404),
      })),
      forbidden: subject.forbidden(),
      ended: subject.ended(),
    },
    download: {
      saved: subject.usual(() => ({ check: () => isPdf(sink.take()) })),
      refused: subject.forbidden(),
    },
  }
  const base = Object.values(printPreviewModels.parts)[0] as Spec<unknown>
  const spec: Spec<unknown> = {
    ...withKey(base, (s) =>
      JSON.stringify([s.value, s.context.pdf !== null, s.context.problem?.code ?? null]),
    ),
    input: () => subjectOf,
    outcomes: {
      preview: {
        pdf: ok('cGRm'),
        gone: no('refused', 404),
        forbidden: no('refused', 403),
        ended: no('session', 40000),
      },
      download: { saved: ok(undefined), refused: no('refused', 403) },
    },
  }
  const stage = (): Promise<Stage> =>
    Promise.resolve({
      ports: printPorts({ api: subject.api, saveFile: sink.save }) as never,
      scenes,
    })
  return { printPreview: { spec, scenes, stage } }
}

/**
 * A student with reports, found in the demo data by the text of their record that the print calls
 * accept as a number.
 */
async function someStudent(
  run: RunContext,
): Promise<{ readonly stuNo: string; readonly reportId: string }> {
  const { api } = await run.helper('registrar')
  const [row] = (
    await api.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: { pageSize: 1 } })
  ).records
  for (const value of Object.entries(row ?? {}).flatMap(([name, text]) =>
    name !== 'id' && typeof text === 'string' && /^[\w-]{4,20}$/.test(text) ? [text] : [],
  )) {
    const reports = await api.print.reports({ query: { stuNo: value } }).catch(() => [])
    if (reports[0] !== undefined) return { stuNo: value, reportId: reports[0].id }
  }
  throw new Error('no student of EDU_STUDENT has reports')
}

function isPdf(bytes: Uint8Array): string[] {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'
    ? []
    : ['the file is no PDF']
}

function withKey(base: Spec<unknown>, key: Spec<unknown>['key']): Spec<unknown> {
  return {
    ...base,
    unhandled: [],
    key,
  }
}

/** A student lists the reports, pays at the cashier of the sandbox and downloads the document. */
export const serverDownload: ServerParts = async ({ run }) => {
  if (!readsCodes(run)) return {}
  const tokens = await studentTokens(run)
  const { api } = run.userWith(tokens)
  const { payDriver } = await run.anonymous.student.school({ query: {} })
  const visit: Visit = {
    api,
    mobile: tokens.mobile,
    sink: fileSink(),
    cashier: createCashier(run, api),
    paysHere: payDriver === 'sandbox',
    detail: await api.student.detail({}),
    reports: await api.student.reports({}),
    order: null,
  }
  return {
    list: partOf(visit, ['list.refresh', 'report.open', 'preview.retry', 'preview.cancel'], {
      price: ['five', 'gone'],
    }),
    ...(visit.paysHere ? sandboxParts(visit) : {}),
    pay: partOf(
      visit,
      [
        'report.open',
        'preview.confirm',
        'pay.choose',
        'pay.back',
        'pay.cancel',
        'failure.cancel',
        'success.home',
      ],
      {
        price: ['five'],
        order: ['open'],
        orderStatus: ['open', 'paid', 'closed'],
        cancelOrder: ['closed'],
      },
    ),
    // The payment arrives while the order is being cancelled: the document is delivered
    // nevertheless.
    crossing: partOf(
      visit,
      ['report.open', 'preview.confirm', 'pay.choose', 'pay.cancel', 'success.home'],
      { price: ['five'], order: ['open'], orderStatus: ['paid'], cancelOrder: ['refused'] },
    ),
  }
}

/** A student at the download page; `reports` and `order` are those of the last answers. */
interface Visit {
  readonly api: Api
  readonly mobile: string
  readonly sink: ReturnType<typeof fileSink>
  readonly cashier: ReturnType<typeof createCashier>
  readonly paysHere: boolean
  readonly detail: unknown
  reports: readonly ReportItem[]
  order: PrintOrder | null
}

/** Paths on which the cashier of the sandbox gives a document away or takes it back. */
function sandboxParts(visit: Visit): Readonly<Record<string, ServerPart>> {
  return {
    owned: partOf(
      visit,
      ['report.open', 'preview.confirm', 'success.home'],
      { price: ['free'], order: ['paid'] },
      true,
    ),
    refunded: partOf(
      visit,
      ['report.open', 'preview.confirm', 'pay.choose', 'pay.cancel', 'failure.cancel'],
      {
        price: ['five'],
        order: ['open'],
        orderStatus: ['open', 'refund'],
        cancelOrder: ['refund'],
      },
    ),
  }
}

/** @param isOwned the report was paid for before the path */
function partOf(
  visit: Visit,
  events: readonly string[],
  fewer: Readonly<Record<string, readonly string[]>>,
  isOwned = false,
): ServerPart {
  const scenes = scenesOf(visit)
  const { api, sink, cashier } = visit
  return {
    spec: specOf(visit, scenes, events, fewer),
    scenes,
    stage: async (): Promise<Stage> => {
      const bought = isOwned ? await buy(visit) : null
      const translate = (event: EventObject): EventObject =>
        event.type === 'report.open'
          ? ({ ...event, reportId: bought ?? unpaid(visit)?.id ?? '' } as EventObject)
          : event
      return {
        ports: downloadPorts({ api, saveFile: sink.save }) as never,
        scenes,
        translate,
        end: async () => {
          await cashier.giveBack()
          const { order } = visit
          if (order !== null)
            await api.student.cancelOrder({ body: { orderNo: order.orderNo } }).catch(() => {})
          visit.order = null
        },
      }
    },
  }
}

function specOf(
  { mobile, detail, reports }: Visit,
  scenes: Scenes,
  events: readonly string[],
  fewer: Readonly<Record<string, readonly string[]>>,
): Spec<unknown> {
  const [first] = reports
  const samples: Readonly<Record<string, object>> = {
    'report.open': { first: { reportId: first?.id ?? '' } },
    'pay.choose': { wechat: { method: 'wechat' } },
  }
  const base = Object.values(downloadModels.parts)[0] as Spec<unknown>
  return {
    ...withKey(base, ({ value, context: c }) =>
      JSON.stringify([
        value,
        c.student !== null,
        c.reports.length > 0,
        c.outdated,
        c.report !== null,
        (c.price ?? 0) > 0,
        c.pdf !== null,
        c.order !== null,
        c.problem?.kind ?? null,
      ]),
    ),
    input: ({ now }) => ({ account: mobile, facts: null, now }),
    events: Object.fromEntries(
      events.map((type) => [type, samples[type] ?? { bare: {} }]),
    ) as Spec<unknown>['events'],
    outcomes: Object.fromEntries(
      Object.entries({
        ...outcomes,
        detail: { student: ok(detail) },
        reports: { two: ok(reports) },
      }).map(([port, cases]) => [
        port,
        Object.fromEntries(
          Object.entries(cases).filter(
            ([name]) => scenes[port]?.[name] !== undefined && (fewer[port]?.includes(name) ?? true),
          ),
        ),
      ]),
    ),
  }
}

const outcomes: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
  price: {
    five: ok({ REPORT_NAME: 'n', PRINT_PRICE: 5 }),
    free: ok({ REPORT_NAME: 'n', PRINT_PRICE: 0 }),
    gone: no('refused', 404),
  },
  preview: { pdf: ok('cGRm') },
  order: {
    open: ok({ orderNo: 'o', code_status: '0', code_url: 'u', amount: 5, expires_in: window }),
    paid: ok({ orderNo: 'o', code_status: '1', code_url: null, amount: 0, expires_in: 0 }),
  },
  orderStatus: {
    open: ok({ code_status: '0' }),
    paid: ok({ code_status: '1' }),
    closed: ok({ code_status: '2' }),
    refund: ok({ code_status: '4' }),
  },
  cancelOrder: {
    closed: ok({ code_status: '2' }),
    refund: ok({ code_status: '4' }),
    refused: no('refused', 409, { code_status: '1' }),
  },
  download: { saved: ok(undefined) },
}

function scenesOf(visit: Visit): Scenes {
  const { api, detail, sink, paysHere } = visit
  return {
    detail: {
      student: async () => ({ check: (answer) => same('detail', detail, outputOf(answer)) }),
    },
    reports: { two: async () => ({ check: (answer) => checkReports(visit, answer) }) },
    price: {
      five: async () => ({
        check: (answer) =>
          priceIn(answer) > 0
            ? []
            : [`PRINT_PRICE: ${priceIn(answer)} for a document not paid for`],
      }),
      free: async () => ({
        check: (answer) => same('PRINT_PRICE of a document paid for', 0, priceIn(answer)),
      }),
      gone: async () => ({
        input: { reportId: '1' },
        check: (answer) => refusedAs(answer, 'refused', 404),
      }),
    },
    preview: { pdf: async () => ({ check: pdfIn }) },
    order: {
      ...(paysHere
        ? { paid: async () => ({ check: (answer) => takeOrder(visit, '1', answer) }) }
        : {}),
      open: async () => ({
        check: (answer) => {
          const left = outputOf<PrintOrder>(answer).expires_in
          return [
            ...takeOrder(visit, '0', answer),
            ...(left > 0 && left <= window ? [] : [`expires_in: ${left}`]),
          ]
        },
        timeless: (output) => ({ ...(output as PrintOrder), expires_in: window }),
      }),
    },
    orderStatus: {
      open: async () => ({ check: status('0') }),
      closed: async ({ orderNo }: { orderNo: string }) => {
        await cancelElsewhere(api, orderNo)
        return { check: status('2') }
      },
      ...(paysHere ? { paid: () => paid(visit, status('1')), refund: () => refund(visit) } : {}),
    },
    cancelOrder: {
      closed: async () => ({ check: status('2') }),
      ...(paysHere
        ? {
            refund: () => refund(visit),
            refused: () => paid(visit, (answer) => refusedAs(answer, 'refused', 409)),
          }
        : {}),
    },
    download: { saved: async () => ({ check: () => isPdf(sink.take()) }) },
  }
}

function priceIn(answer: Outcome): number {
  return outputOf<{ PRINT_PRICE: number }>(answer).PRINT_PRICE
}

function status(wanted: string) {
  return (answer: Outcome) =>
    same('code_status', wanted, outputOf<{ code_status: string }>(answer).code_status)
}

/** The reports are those that the server lists; one at least is for sale afterwards. */
async function checkReports(visit: Visit, answer: Outcome): Promise<string[]> {
  const { api, cashier } = visit
  visit.reports = outputOf(answer)
  const lines = same('reports', await api.student.reports({}), visit.reports)
  if (unpaid(visit) === undefined) {
    await cashier.giveBack()
    visit.reports = await api.student.reports({})
  }
  return lines
}

function takeOrder(visit: Visit, codeStatus: string, answer: Outcome): string[] {
  const order = outputOf<PrintOrder>(answer)
  visit.order = order
  return [
    ...same('code_status', codeStatus, order.code_status),
    ...(codeStatus === '0' && order.code_url === null ? ['code_url: nothing to pay with'] : []),
  ]
}

/** The order of the path is paid before the call. */
async function paid({ order, cashier }: Visit, check: (answer: Outcome) => string[]) {
  if (order !== null) await cashier.pay(order)
  return { check }
}

async function refund(visit: Visit) {
  const scene = await paid(visit, status('4'))
  await visit.cashier.giveBack()
  return scene
}

/** A document that was not paid for: paid ones are free. */
function unpaid({ reports }: Visit): ReportItem | undefined {
  return reports.find(({ owned }) => !owned)
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

/**
 * Refunds what was paid on a path (one user requests it, another approves): the document is for
 * sale again, so the server can be walked repeatedly.
 */
function createCashier(run: RunContext, api: Api) {
  const paid = new Set<string>()
  return {
    pay: async ({ orderNo, code_url }: PrintOrder) => {
      await press(run, code_url)
      paid.add(orderNo)
    },
    giveBack: async () => {
      for (const orderNo of paid) {
        paid.delete(orderNo)
        await api.student.orderStatus({ query: { orderNo } })
        const asked = await (
          await run.helper('registrar')
        ).api.print.requestRefund({ body: { orderNo, reason: run.prefix } })
        await (
          await run.helper('admin')
        ).api.print.decideRefund({ params: { id: asked.id }, body: { agree: true } })
      }
    },
  }
}

/** Pays at the sandbox's cashier (docs/rules/contract.md#running). */
async function press({ wire }: RunContext, codeUrl: string | null): Promise<void> {
  const answer = await wire.fetch(codeUrl ?? '', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'button=pay',
  })
  await answer.arrayBuffer()
}

/** Cancels the order in another session; the provider may take a moment to close it. */
async function cancelElsewhere(api: Api, orderNo: string): Promise<void> {
  await api.student.cancelOrder({ body: { orderNo } }).catch(() => {})
  for (
    let tries = 0;
    tries < 100 && (await api.student.orderStatus({ query: { orderNo } })).code_status === '0';
    tries += 1
  )
    await pause(50)
}
