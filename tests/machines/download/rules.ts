import { downloadBack, downloadForward } from '@jiaowu/machines/download/steps'
import type { DownloadContext } from '@jiaowu/machines/download/context'
import { downloadView } from '@jiaowu/machines/download/view'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readDownloadContext = ({ snapshot }: Worlds) => snapshot.context as DownloadContext
const wish = (state: string) => ({ closing: { wish: state } })
const isEnding = (node: Worlds) => isIn(node, { ordering: 'unwanted' }, wish('toEnd'))
const heard = /^(?:order|orderStatus|cancelOrder) → paid$/

/**
 * Properties that hold in every state of the download (docs/spec/2-student-service-and-designer.md §4;
 * docs/rules/machines.md#download-and-payment).
 */
export const downloadRules: readonly Rule[] = [
  {
    name: 'exactly one step of the spec is shown',
    kind: 'state',
    holds: (node) => isIn(node, 'ended') || steps(node).length === 1,
  },
  {
    name: 'the scan-pay popup always belongs to an order with a code',
    kind: 'state',
    holds: (node) => !isIn(node, 'scanPay', 'closing') || readDownloadContext(node).order !== null,
  },
  {
    name: 'what is being saved has a number',
    kind: 'state',
    holds: (node) => !isIn(node, 'saving', 'unsaved') || readDownloadContext(node).order !== null,
  },
  {
    name: "Back and Forward of a browser are the step's own ways, which the state takes",
    kind: 'state',
    holds: ({ snapshot }) =>
      [downloadBack, downloadForward].every((ask) => {
        const event = ask(downloadView(snapshot as never))
        return event === null || snapshot.can(event as never)
      }),
  },
  {
    name: 'Back leaves every step that does not wait for a call',
    kind: 'state',
    holds: (node) =>
      isIn(node, 'list', 'ended', 'starting') ||
      node.snapshot.hasTag('busy') ||
      downloadBack(downloadView(node.snapshot as never)) !== null,
  },
  {
    name: 'Forward orders nothing',
    kind: 'state',
    holds: ({ snapshot }) => {
      const view = downloadView(snapshot as never)
      const event = downloadForward(view)
      return (
        event === null ||
        event.type === 'report.open' ||
        (event.type === 'preview.confirm' && (view.price ?? 0) > 0)
      )
    },
  },
  {
    name: 'an order is asked for only on "confirm" of a free one or on WeChat',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      calls(effects, 'order').length === 0 ||
      step.label === 'pay.choose(wechat)' ||
      (step.label === 'preview.confirm' && readDownloadContext(from).price === 0),
  },
  {
    name: 'no order is asked for while another may be paid',
    kind: 'edge',
    holds: ({ effects }, from) =>
      calls(effects, 'order').length === 0 ||
      !isIn(from, 'scanPay', 'closing', 'saving', 'ordering'),
  },
  {
    name: 'a free document never comes to the method screen by itself',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(
        step.label === 'preview.confirm' &&
        isIn(from, { preview: 'shown' }) &&
        readDownloadContext(from).price === 0
      ) || isIn(to, 'ordering'),
  },
  {
    name: 'Alipay does nothing yet',
    kind: 'edge',
    holds: ({ step }, from, to) => step.label !== 'pay.choose(alipay)' || from.key === to.key,
  },
  {
    name: "scan-pay is left only through closing, or by the server's word about the order",
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !isIn(from, 'scanPay') ||
      isIn(to, 'scanPay', 'closing') ||
      /^orderStatus → (?:paid|closed|refund)$/.test(step.label),
  },
  {
    name: "closing ends by the server's answer, or by a timeout while signing out",
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !isIn(from, 'closing') ||
      isIn(to, 'closing') ||
      step.kind === 'settle' ||
      (isIn(from, wish('toEnd')) && step.kind === 'time'),
  },
  {
    name: 'paid is followed by saving, or by the end that was asked for',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !heard.test(step.label) || isIn(to, 'saving') || (isEnding(from) && isIn(to, 'ended')),
  },
  {
    name: 'only what is known to be paid is saved',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !isIn(to, 'saving') ||
      isIn(from, 'saving') ||
      heard.test(step.label) ||
      step.label === 'save.retry',
  },
  {
    name: 'closing the popup to go to the list ends in the list',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(from, wish('toList')) && /^(?:cancelOrder|orderStatus) → clos/.test(step.label)) ||
      isIn(to, 'list'),
  },
  {
    name: 'when the time ran out and the order is closed, the failure shows',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(from, wish('toFailed')) && /^(?:cancelOrder|orderStatus) → closed/.test(step.label)) ||
      isIn(to, { failed: 'timedOut' }),
  },
  {
    name: 'a refused cancellation asks for the status once',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(step.label === 'cancelOrder → refused' && !isEnding(from)) ||
      (calls(effects, 'orderStatus').length === 1 && isIn(to, { closing: { call: 'asking' } })),
  },
  {
    name: 'an order that is not closed yet when the time ran out is "being checked"',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(from, wish('toFailed')) && step.label === 'cancelOrder → closing') ||
      isIn(to, { failed: 'unconfirmed' }),
  },
  {
    name: 'no word about an order is "being checked", never a failed payment',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(
        isIn(from, { closing: { call: 'asking' } }) &&
        /^orderStatus → (?:down|open)$/.test(step.label) &&
        !isEnding(from)
      ) || isIn(to, { failed: 'unconfirmed' }),
  },
  {
    name: 'does not ask for payment again while an order is being checked',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'failure.repay' && isIn(from, { failed: 'unconfirmed' })) ||
      from.key === to.key,
  },
  {
    name: 'a file that could not be saved is offered again, without an order',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      step.label !== 'download → down' ||
      (isIn(to, 'unsaved') &&
        readDownloadContext(to).order?.orderNo === readDownloadContext(from).order?.orderNo &&
        calls(effects, 'order').length === 0),
  },
  {
    name: 'a document that cannot be made is neither offered again nor to be paid again',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      (step.label !== 'download → unmade' || isIn(to, { failed: 'unmade' })) &&
      (step.label !== 'download → refunded' || isIn(to, { failed: 'refunded' })) &&
      (!isIn(from, { failed: 'unmade' }) ||
        (calls(effects, 'download').length === 0 && calls(effects, 'order').length === 0)),
  },
  {
    name: 'calls about an order carry its number',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      [
        ...calls(effects, 'orderStatus'),
        ...calls(effects, 'cancelOrder'),
        ...calls(effects, 'download'),
      ].every((call) =>
        call.includes(`"orderNo":"${readDownloadContext(to).order?.orderNo ?? '?'}"`),
      ),
  },
  {
    name: 'a file is asked for only while saving, an order closed only while closing',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      (calls(effects, 'download').length === 0 || isIn(to, 'saving')) &&
      (calls(effects, 'cancelOrder').length === 0 || isIn(to, 'closing')),
  },
  {
    name: 'an order that may still be paid is kept for a reload, and the payment is emitted',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      (isIn(from, 'scanPay') ||
        !isIn(to, 'scanPay') ||
        effects.some((effect) => effect.includes('"paid":false'))) &&
      (isIn(from, 'saving') ||
        !isIn(to, 'saving') ||
        effects.some((effect) => effect.includes('"paid":true'))),
  },
  {
    name: 'what is over is forgotten',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      isIn(from, 'list', 'success', 'ended') ||
      !isIn(to, 'list', 'success', 'ended') ||
      effects.some((effect) => effect.includes('"facts":null')),
  },
  {
    name: 'a list that was to be read again is read again before it is shown',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      !(isIn(to, { list: 'shown' }) && !isIn(from, 'list')) ||
      !readDownloadContext(from).outdated ||
      calls(effects, 'detail').length === 1,
  },
  {
    name: 'signing out gets through',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      step.label !== 'session.end' || isIn(to, 'ended') || isEnding(to),
  },
  {
    name: 'signing out never waits for the person',
    kind: 'reach',
    from: isEnding,
    to: (node) => isIn(node, 'ended'),
    by: ({ step }) => step.kind === 'time',
  },
  {
    name: 'from everywhere but the end the list can be reached',
    kind: 'reach',
    from: (node) => !isIn(node, 'ended') && !isEnding(node),
    to: (node) => isIn(node, { list: 'shown' }),
  },
  { name: 'from everywhere one can sign out', kind: 'reach', to: (node) => isIn(node, 'ended') },
]

function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}

function steps({ snapshot }: Worlds) {
  return [...snapshot.tags].filter((tag) => String(tag).startsWith('step:'))
}

function calls(effects: readonly string[], port: string) {
  return effects.filter((effect) => effect === `call ${port}` || effect.startsWith(`call ${port} `))
}
