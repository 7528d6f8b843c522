import { limits } from '@jiaowu/api/limits'
import { blankContext } from './context.ts'
import { type DownloadPorts, downloadActors } from './ports.ts'
import { downloadSetup, failure, keepProblem, tellProblem } from './setup.ts'
import { closingState } from './states/closing.ts'
import { listState } from './states/list.ts'
import { orderingState } from './states/ordering.ts'
import { previewState } from './states/preview.ts'
import { scanPayState } from './states/scan-pay.ts'

/**
 * A student's download (docs/spec/2-student-service-and-designer.md §4). Steps 0-5 are tags.
 * An order that may still be paid is left only through `closing`, which waits for the server's
 * answer; meanwhile the region `wish` holds where the student wants to go.
 */
export const downloadMachine = downloadSetup.createMachine({
  id: 'download',
  context: ({ input }) => blankContext(input),
  initial: 'starting',
  // Reload when the list is next shown, for example after a change of language.
  on: { 'session.end': { target: '.ended' }, 'list.refresh': { actions: 'markOutdated' } },
  states: {
    // After a reload: continue an open order, check one whose time ran out, save a paid one.
    starting: {
      always: [
        { guard: 'wasPaid', target: 'saving' },
        { guard: 'wasOpen', target: 'scanPay' },
        { guard: 'wasLeft', target: 'closing' },
        { target: 'list' },
      ],
    },
    list: listState,
    preview: previewState,
    method: {
      tags: 'step:2',
      on: {
        'pay.choose': {
          guard: { type: 'isWechat', params: ({ event }) => event },
          target: 'ordering',
          actions: 'forgetProblem',
        },
        // After a reload no preview is loaded yet.
        'pay.back': [
          { guard: 'hasPdf', target: 'preview.shown', actions: 'forgetProblem' },
          { target: 'preview' },
        ],
      },
    },
    ordering: orderingState,
    scanPay: scanPayState,
    closing: closingState,
    failed: {
      tags: 'step:4',
      initial: 'timedOut',
      on: { 'failure.cancel': { target: 'list' }, 'failure.repay': { target: 'method' } },
      states: {
        timedOut: { entry: ['forgetOrder', 'tellNoFacts'] },
        closed: { entry: ['forgetOrder', 'tellNoFacts'] },
        refunded: { entry: ['forgetOrder', 'tellNoFacts'] },
        unmade: { entry: ['forgetOrder', 'tellNoFacts'], on: { 'failure.repay': {} } },
        // It is unknown whether the payment arrived, so never call it failed. The student can check
        // again but not pay again. The facts stay stored, so that a reload checks again too.
        unconfirmed: {
          on: { 'failure.check': { target: '#download.closing' }, 'failure.repay': {} },
        },
      },
    },
    saving: {
      tags: ['step:3', 'busy'],
      entry: { type: 'tellFacts', params: { paid: true } },
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context }) => ({ orderNo: context.order?.orderNo ?? '' }),
        onDone: { target: 'success', actions: 'tellSaved' },
        onError: [
          { guard: { type: 'isRefunded', params: failure }, target: 'failed.refunded' },
          // Trying again would fail in the same way; the staff decide on a refund.
          {
            guard: { type: 'isUnmade', params: failure },
            target: 'failed.unmade',
            actions: keepProblem,
          },
          { target: 'unsaved', actions: [keepProblem, tellProblem] },
        ],
      },
    },
    // Paid, but not saved to disk: retry the same order, never a new payment.
    unsaved: {
      tags: 'step:4',
      on: {
        'save.retry': { target: 'saving', actions: 'forgetProblem' },
        'save.leave': { target: 'list' },
      },
    },
    success: {
      tags: 'step:5',
      entry: ['forgetOrder', 'tellNoFacts'],
      invoke: {
        id: 'homeCountdown',
        src: 'countdown',
        input: ({ context }) => ({
          deadline: context.now() + limits.successPause,
          now: context.now,
        }),
        onDone: { target: 'list' },
      },
      on: { 'success.again': { target: 'preview' }, 'success.home': { target: 'list' } },
    },
    ended: { type: 'final', entry: ['tellNoFacts', 'tellEnded'] },
  },
  options: { maxIterations: 100 },
})

/** The machine with its calls. */
export function downloadWith(ports: DownloadPorts): typeof downloadMachine {
  return downloadMachine.provide({ actors: downloadActors(ports) })
}
