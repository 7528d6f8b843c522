import type { DownloadContext } from '@jiaowu/machines/download/context'
import { type Composite, isAt } from './protocol-model.ts'
import type { Property } from './explore-model.ts'

const readClientContext = ({ client }: Composite) => client.snapshot.context as DownloadContext

/**
 * Properties of student, network, server and provider together
 * (docs/rules/machines.md#download-and-payment; docs/rules/security.md#payments).
 */
export const protocolProperties: readonly Property<Composite>[] = [
  {
    name: '"payment failed" is never shown for an order that is paid, unless it was paid after it was closed',
    kind: 'state',
    holds: (at) => {
      const order = findServerOrder(at, at.current)
      return !saysFailed(at) || order === undefined || order.state !== 'PAID' || order.closedFirst
    },
  },
  {
    name: '"payment failed" is never shown for an order that can still be paid',
    kind: 'state',
    holds: (at) => !saysFailed(at) || findServerOrder(at, at.current)?.state !== 'PENDING',
  },
  {
    name: 'a client that knows of the payment never asks for it again, nor shows it as failed',
    kind: 'state',
    holds: (at) =>
      at.current === null ||
      !at.known.includes(at.current) ||
      !(isAt(at, 'scanPay') || saysFailed(at)),
  },
  {
    name: 'there are never two open orders for one report (N1)',
    kind: 'state',
    holds: ({ server }) => server.orders.filter(({ state }) => state === 'PENDING').length <= 1,
  },
  {
    name: 'a payment leads to an entitlement or a refund, never both and never neither (N3, N4)',
    kind: 'state',
    holds: ({ server }) =>
      server.orders.filter(({ state }) => state === 'PAID').length <= 1 &&
      server.entitled === server.orders.some(({ state }) => state === 'PAID') &&
      server.orders.every(({ state, money }) => money || (state !== 'PAID' && state !== 'REFUND')),
  },
  {
    name: 'a client that leaves an open order has asked for it to be closed',
    kind: 'state',
    holds: (at) =>
      !isDone(at) ||
      at.server.orders.every(
        ({ no, state }) => state !== 'PENDING' || !at.shown.includes(no) || at.asked.includes(no),
      ),
  },
  {
    name: 'a paid order stays paid (N5)',
    kind: 'event',
    holds: (from, _label, to) =>
      from.server.orders.every(
        ({ no, state }) => state !== 'PAID' || findServerOrder(to, no)?.state === 'PAID',
      ),
  },
  {
    name: 'a document that is paid for is never charged again',
    kind: 'event',
    holds: (from, _label, to) =>
      !from.server.entitled ||
      to.server.orders.every(({ no }) => findServerOrder(from, no) !== undefined),
  },
  {
    name: 'an answer about one order never touches another',
    kind: 'state',
    holds: (at) =>
      at.wire.every(
        ({ ask, ghost }) =>
          ghost || ask.port === 'order' || ask.no === readClientContext(at).order?.orderNo,
      ),
  },
  {
    name: 'only paid documents are saved',
    kind: 'state',
    holds: (at) => !isAt(at, 'success') || at.server.entitled,
  },
  {
    name: 'closing the popup ends in the list, unless the order is paid or its state is unknown',
    kind: 'event',
    holds: (from, label, to) =>
      !isAt(from, { closing: { wish: 'toList' } }) ||
      label.startsWith('reload') ||
      [
        'closing',
        'list',
        'saving',
        'ended',
        { failed: 'unconfirmed' },
        { failed: 'refunded' },
      ].some((state) => isAt(to, state)),
  },
  {
    name: 'an order that is open, or paid and not saved, survives a reload',
    kind: 'state',
    holds: (at) =>
      ![
        'scanPay',
        { closing: { wish: 'toList' } },
        { closing: { wish: 'toFailed' } },
        { failed: 'unconfirmed' },
        'saving',
        'unsaved',
      ].some((state) => isAt(at, state)) ||
      (at.facts?.order.orderNo === readClientContext(at).order?.orderNo &&
        at.facts?.paid === (isAt(at, 'saving') || isAt(at, 'unsaved'))),
  },
]

function findServerOrder(at: Composite, no: string | null) {
  return at.server.orders.find((order) => order.no === no)
}

/** Whether the screen says that the payment failed. Being checked is not that. */
function saysFailed(at: Composite): boolean {
  return isAt(at, { failed: 'timedOut' }) || isAt(at, { failed: 'closed' })
}

/** The client considers nothing left to pay: the popup is closed, and no answer is awaited. */
function isDone(at: Composite): boolean {
  return ['list', 'preview', 'success', 'ended'].some((state) => isAt(at, state)) || saysFailed(at)
}
