import type { DownloadPorts } from '@jiaowu/machines/download/ports'
import { downloadView } from '@jiaowu/machines/download/view'
import { downloadWith } from '@jiaowu/machines/download/machine'
import { describe, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { waitForPromises, VirtualClock } from '@jiaowu/path-tests'
import { buildPrintOrder, reports, student } from './samples.ts'

describe('answers that come too late', () => {
  /**
   * Ports that answer although their call was aborted, as `fetch` does behind a proxy that ignores
   * the abort.
   */
  const deaf = () => {
    const waiting: { port: string; input: unknown; end: (output: unknown) => void }[] = []
    const port = (name: string) => (input: unknown) =>
      new Promise((end) => {
        waiting.push({ port: name, input, end })
      })
    const ports = Object.fromEntries(
      [
        'detail',
        'reports',
        'price',
        'preview',
        'order',
        'orderStatus',
        'cancelOrder',
        'download',
      ].map((name) => [name, port(name)]),
    ) as unknown as DownloadPorts
    const take = (name: string) => {
      const at = waiting.findIndex((each) => each.port === name)
      const [one] = waiting.splice(at, 1)
      if (at < 0 || one === undefined) throw new Error(`no call of ${name} is pending`)
      return one
    }
    return {
      ports,
      take,
      answer: async (name: string, output: unknown) => {
        take(name).end(output)
        await waitForPromises()
      },
      asked: (name: string) =>
        waiting.filter((each) => each.port === name).map(({ input }) => input),
    }
  }

  test('about an old order never touch the new one, doubled or not', async () => {
    const clock = new VirtualClock()
    const { ports, take, answer, asked } = deaf()
    const actor = createActor(downloadWith(ports), {
      input: { account: 'a', facts: null, now: clock.now },
      clock,
    }).start()
    const screen = () => downloadView(actor.getSnapshot()).screen
    const pay = async (orderNo: string) => {
      actor.send({ type: 'pay.choose', method: 'wechat' })
      await answer('order', buildPrintOrder(orderNo, '0'))
    }
    await answer('detail', student)
    await answer('reports', reports)
    actor.send({ type: 'report.open', reportId: '1' })
    await answer('price', { REPORT_NAME: 'n1', PRINT_PRICE: 5 })
    await answer('preview', 'cGRm')
    actor.send({ type: 'preview.confirm' })
    await pay('old')
    const oldPoll = take('orderStatus')
    await clock.advance(180_000)
    const oldCancel = take('cancelOrder')
    oldCancel.end({ code_status: '2' })
    await waitForPromises()
    expect(screen()).toBe('failed')
    actor.send({ type: 'failure.repay' })
    await pay('new')
    const before = actor.getSnapshot()
    // The first order's answers come now: its poll, and once more its cancellation.
    oldPoll.end({ code_status: '1' })
    oldCancel.end({ code_status: '1' })
    await waitForPromises()
    expect(actor.getSnapshot()).toBe(before)
    expect(screen()).toBe('scanPay')
    expect(asked('orderStatus')).toEqual([{ orderNo: 'new' }])
    actor.stop()
  })

  test('after leaving the preview neither price nor document come back', async () => {
    const clock = new VirtualClock()
    const { ports, answer } = deaf()
    const actor = createActor(downloadWith(ports), {
      input: { account: 'a', facts: null, now: clock.now },
      clock,
    }).start()
    await answer('detail', student)
    await answer('reports', reports)
    actor.send({ type: 'report.open', reportId: '1' })
    actor.send({ type: 'preview.cancel' })
    actor.send({ type: 'report.open', reportId: '2' })
    await answer('price', { REPORT_NAME: 'n1', PRINT_PRICE: 5 })
    await answer('preview', 'b2xk')
    expect(downloadView(actor.getSnapshot())).toMatchObject({
      screen: 'preview',
      report: { id: '2' },
      price: null,
      pdf: null,
      busy: true,
    })
    await answer('price', { REPORT_NAME: 'n2', PRINT_PRICE: 30 })
    await answer('preview', 'bmV3')
    expect(downloadView(actor.getSnapshot())).toMatchObject({ price: 30, pdf: 'bmV3', busy: false })
    actor.stop()
  })
})

describe('what the download shows', () => {
  const shown = async (filters: readonly ('zh' | 'en' | 'transcript' | 'proof')[]) => {
    const actor = createActor(
      downloadWith({
        detail: async () => student,
        reports: async () => reports,
      } as unknown as DownloadPorts),
      { input: { account: 'a', facts: null, now: () => 0 } },
    ).start()
    await waitForPromises()
    for (const filter of filters) actor.send({ type: 'filter.toggle', filter })
    const { reports: listed, reportCount } = downloadView(actor.getSnapshot())
    actor.stop()
    return [listed.map(({ id }) => id).join(), reportCount]
  }
  test('is what both the language and the type let through', async () => {
    expect(await shown([])).toEqual(['1,2', 2])
    expect(await shown(['zh'])).toEqual(['2', 2])
    expect(await shown(['proof'])).toEqual(['1', 2])
    expect(await shown(['zh', 'proof'])).toEqual(['', 2])
    expect(await shown(['en', 'en'])).toEqual(['1,2', 2])
  })
})
