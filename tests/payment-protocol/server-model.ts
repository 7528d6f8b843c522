import type { CodeStatus } from '@jiaowu/api/contract/student/student'

/**
 * The server and the payment provider as an automaton, after the table of
 * docs/rules/security.md#payments: one student, one report. Events without the client are part of
 * it: a payment at any time for any code ever shown, late and repeated notifications, an expired
 * order, a refused close.
 */
export type OrderState = 'PENDING' | 'CLOSING' | 'CLOSED' | 'PAID' | 'REFUND' | 'FREE'
interface Order {
  readonly no: string
  readonly state: OrderState
  /** The student has paid at the provider. */
  readonly money: boolean
  /** Closing began before the server knew of a payment. */
  readonly closedFirst: boolean
}
export interface Server {
  readonly orders: readonly Order[]
  readonly entitled: boolean
}

export type Ask =
  | { readonly port: 'order' }
  | { readonly port: 'orderStatus' | 'cancelOrder' | 'download'; readonly no: string }
/** `order`: an order as the client sees it; `refused`: an error, with the state when it has one. */
export type Answer =
  | { readonly kind: 'order'; readonly no: string; readonly status: CodeStatus }
  | { readonly kind: 'status'; readonly status: CodeStatus }
  | { readonly kind: 'file' }
  | { readonly kind: 'refused'; readonly status: CodeStatus | null }
export interface Handled {
  readonly label: string
  readonly server: Server
  readonly answer: Answer
}

export const emptyServer: Server = { orders: [], entitled: false }

const codes = {
  PENDING: '0',
  CLOSING: '0',
  CLOSED: '2',
  PAID: '1',
  REFUND: '4',
  FREE: '1',
} as const satisfies Record<OrderState, CodeStatus>

/** The server learns of a payment by notification, query or bill. Repeating it changes nothing. */
export function learnOfPayment(server: Server, no: string): Server {
  const order = server.orders.find((each) => each.no === no)
  if (
    order === undefined ||
    !order.money ||
    order.state === 'PAID' ||
    order.state === 'REFUND' ||
    order.state === 'FREE'
  )
    return server
  // A payment entitles, or is refunded when another order has entitled already.
  return server.entitled
    ? change(server, no, { state: 'REFUND' })
    : { ...change(server, no, { state: 'PAID' }), entitled: true }
}

function change(server: Server, no: string, part: Partial<Order>): Server {
  return {
    ...server,
    orders: server.orders.map((order) => (order.no === no ? { ...order, ...part } : order)),
  }
}

/** All ways in which the server may handle a request; it makes at most `most` orders. */
export function handle(server: Server, ask: Ask, most: number): Handled[] {
  if (ask.port === 'order') return listCreations(server, most)
  const order = server.orders.find((each) => each.no === ask.no)
  const state = order?.state ?? (ask.no === 'free' ? 'FREE' : null)
  if (ask.port === 'cancelOrder') return cancel(server, ask.no)
  if (state === null)
    return [{ label: 'does not know it', server, answer: { kind: 'refused', status: null } }]
  if (ask.port === 'orderStatus')
    return [
      { label: `says ${codes[state]}`, server, answer: { kind: 'status', status: codes[state] } },
    ]
  return [
    {
      label: codes[state] === '1' ? 'gives the file' : 'gives no file',
      server,
      answer: codes[state] === '1' ? { kind: 'file' } : { kind: 'refused', status: null },
    },
  ]
}

function listCreations(server: Server, most: number): Handled[] {
  const { orders, entitled } = server
  const answered = (label: string, next: Server, no: string, status: CodeStatus): Handled => ({
    label,
    server: next,
    answer: { kind: 'order', no, status },
  })
  if (entitled) {
    const paid = orders.find(({ state }) => state === 'PAID')
    return [answered('finds it paid for', server, paid?.no ?? 'free', '1')]
  }
  const open = orders.find(({ state }) => state === 'PENDING')
  if (open !== undefined) return [answered('finds it open', server, open.no, '0')]
  const no = `o${orders.length + 1}`
  // A closing order is reopened while the provider has not been asked to close it; otherwise a new
  // order is made.
  const taken = orders
    .filter(({ state }) => state === 'CLOSING')
    .map((order) =>
      answered(
        'takes it back',
        change(server, order.no, { state: 'PENDING', closedFirst: false }),
        order.no,
        '0',
      ),
    )
  if (orders.length >= most)
    return [
      ...taken,
      { label: 'makes no more orders', server, answer: { kind: 'refused', status: null } },
    ]
  return [
    ...taken,
    answered(
      'makes an order',
      {
        ...server,
        orders: [...orders, { no, state: 'PENDING', money: false, closedFirst: false }],
      },
      no,
      '0',
    ),
  ]
}

function cancel(server: Server, no: string): Handled[] {
  const order = server.orders.find((each) => each.no === no)
  if (order === undefined)
    return [{ label: 'does not know it', server, answer: { kind: 'refused', status: null } }]
  if (order.state === 'PAID')
    return [{ label: 'has been paid', server, answer: { kind: 'refused', status: '1' } }]
  if (order.state !== 'PENDING' && order.state !== 'CLOSING')
    return [
      {
        label: `says ${codes[order.state]}`,
        server,
        answer: { kind: 'status', status: codes[order.state] },
      },
    ]
  const begun = change(server, no, { state: 'CLOSING', closedFirst: true })
  const begins: Handled = {
    label: 'begins to close',
    server: begun,
    answer: { kind: 'status', status: '0' },
  }
  const closes: Handled = {
    label: 'closes it',
    server: change(begun, no, { state: 'CLOSED' }),
    answer: { kind: 'status', status: '2' },
  }
  if (!order.money) return [begins, closes]
  // The provider is queried first; without an answer in time closing begins, and the payment is
  // found later.
  const heard = learnOfPayment(server, no)
  const paid = heard.orders.some((each) => each.no === no && each.state === 'PAID')
  return [
    {
      label: 'asks the provider and finds money',
      server: heard,
      answer: paid ? { kind: 'refused', status: '1' } : { kind: 'status', status: '4' },
    },
    { ...begins, label: 'cannot ask the provider and begins to close' },
  ]
}

/**
 * Events at server and provider without a request. `shown`: the orders whose code the student has
 * seen.
 */
export function spontaneousEvents(
  server: Server,
  shown: readonly string[],
): readonly { readonly label: string; readonly server: Server }[] {
  return server.orders.flatMap(({ no, state, money }) => [
    ...(shown.includes(no) && !money
      ? [{ label: `the student pays ${no}`, server: change(server, no, { money: true }) }]
      : []),
    ...(money && (state === 'PENDING' || state === 'CLOSING' || state === 'CLOSED')
      ? [{ label: `the server hears of the money for ${no}`, server: learnOfPayment(server, no) }]
      : []),
    ...(state === 'PENDING'
      ? [
          {
            label: `${no} runs out`,
            server: change(server, no, { state: 'CLOSING', closedFirst: true }),
          },
        ]
      : []),
    // The provider closes it unpaid; a payer with the page open may still pay.
    ...(state === 'CLOSING' && !money
      ? [{ label: `${no} is closed`, server: change(server, no, { state: 'CLOSED' }) }]
      : []),
  ])
}
