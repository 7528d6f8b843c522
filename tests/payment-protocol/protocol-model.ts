import { ApiProblem } from '@jiaowu/api/problem'
import type { DownloadContext } from '@jiaowu/machines/download/context'
import type { DownloadFacts } from '@jiaowu/machines/download/ports'
import type { AnyStateMachine } from 'xstate'
import {
  type ModelState,
  type Move,
  type NamedOutcome,
  pendingCalls,
  type RunningChild,
  type Step,
} from '@jiaowu/path-tests'
import { downloadPayModel } from '../machines/download/model.ts'
import { buildPrintOrder, reports, student } from '../machines/download/samples.ts'
import {
  type Answer,
  type Ask,
  emptyServer,
  handle,
  spontaneousEvents,
  type Server,
} from './server-model.ts'
import { clientModel } from './client-model.ts'

/**
 * A request under way. `ghost`: its client no longer waits for the answer, but the server may still
 * handle it.
 */
interface Wire {
  readonly ask: Ask
  readonly answer: Answer | null
  readonly ghost: boolean
  readonly doubled: boolean
}
/** State of client, network, server and provider together. */
export interface Composite {
  readonly client: ModelState
  readonly server: Server
  readonly wire: readonly Wire[]
  /** Orders whose QR code was shown. */
  readonly shown: readonly string[]
  /** Orders that the client asked to close. */
  readonly asked: readonly string[]
  /** Orders that the client knows to be paid. */
  readonly known: readonly string[]
  /** The present or last order of the client. */
  readonly current: string | null
  readonly facts: DownloadFacts | null
}
export interface Event {
  readonly label: string
  readonly to: Composite
}

/**
 * Limits of the model. With two orders and one ghost every order can meet an older one, and every
 * request an abandoned one.
 */
export interface Bounds {
  readonly orders: number
  readonly ghosts: number
}
const smallest: Bounds = { orders: 2, ghosts: 1 }
const quickPorts = ['detail', 'reports', 'price', 'preview'] as const
const places = new WeakMap<ModelState, Map<string, boolean>>()

/**
 * Whether the client is in a state. Cached: it is called millions of times for about a hundred
 * clients.
 */
export function isAt({ client }: Pick<Composite, 'client'>, state: string | object): boolean {
  const known = places.get(client) ?? new Map<string, boolean>()
  places.set(client, known)
  const name = typeof state === 'string' ? state : JSON.stringify(state)
  const is =
    known.get(name) ??
    (client.snapshot.status === 'active'
      ? client.snapshot.matches(state as never)
      : client.snapshot.value === state)
  known.set(name, is)
  return is
}

const down: NamedOutcome = {
  name: 'down',
  ok: false,
  error: new ApiProblem({
    kind: 'transport',
    code: 0,
    message: { key: 'problem.network' },
    issues: [],
    data: null,
    traceId: null,
  }),
}

/** The client and the limits that all steps of one model share. */
interface Protocol {
  readonly client: ReturnType<typeof clientModel>
  readonly bounds: Bounds
}

/** The state before the client starts, without the client. */
const blank: Omit<Composite, 'client'> = {
  server: emptyServer,
  wire: [],
  shown: [],
  asked: [],
  known: [],
  current: null,
  facts: null,
}

/**
 * Composes the machine, or a mutant of it, with a network that loses, duplicates and reorders
 * messages, the server and the provider.
 */
export function protocolModel(
  machine: AnyStateMachine = downloadPayModel.machine,
  bounds: Bounds = smallest,
) {
  const client = clientModel(machine)
  const protocol: Protocol = { client, bounds }
  return {
    start: (): Composite => startClient(protocol, blank, null, false),
    events: (at: Composite): Event[] => [
      ...serverEvents(at),
      ...clientEvents(protocol, at),
      ...networkEvents(protocol, at),
      ...restartEvents(protocol, at),
    ],
    key: (at: Composite): string => `${client.keyOf(at.client)}|${restOfKey(at)}`,
  }
}

/** Lists the events that server and provider cause by themselves. */
function serverEvents(at: Composite): Event[] {
  return spontaneousEvents(at.server, at.shown).map(({ label, server }): Event => ({
    label,
    to: { ...at, server },
  }))
}

/** Lists the events of the student and of the client's timers. */
function clientEvents(protocol: Protocol, at: Composite): Event[] {
  const { stepsOf, step } = protocol.client
  return stepsOf(at.client).map((taken): Event => ({
    label: taken.label,
    to: follow(protocol, at, step(at.client, taken)),
  }))
}

/** A reload while the client runs, a sign-in after it has ended. */
function restartEvents(protocol: Protocol, at: Composite): Event[] {
  return at.client.snapshot.status === 'active'
    ? [
        { label: 'reload', to: startClient(protocol, at, at.facts, false) },
        ...(at.facts === null || at.facts.paid
          ? []
          : [
              {
                label: 'reload after the time ran out',
                to: startClient(protocol, at, at.facts, true),
              },
            ]),
      ]
    : [{ label: 'sign in again', to: startClient(protocol, at, null, false) }]
}

/** Lists the events of the network for each request under way. */
function networkEvents(protocol: Protocol, at: Composite): Event[] {
  return at.wire.flatMap((wire, index): Event[] =>
    wire.answer === null
      ? requestEvents(protocol, at, wire, index)
      : [
          ...deliver(
            protocol,
            at,
            index,
            toNamedOutcome(wire.answer),
            `${wire.ask.port} is answered`,
          ),
          ...deliver(protocol, at, index, down, `the answer to ${wire.ask.port} is lost`),
        ],
  )
}

/** A request without an answer reaches the server, is lost or is sent twice. */
function requestEvents(
  protocol: Protocol,
  at: Composite,
  { ask, ghost, doubled }: Wire,
  index: number,
): Event[] {
  const { orders: mostOrders, ghosts: mostGhosts } = protocol.bounds
  const canDouble =
    hasEffect(ask) &&
    !ghost &&
    !doubled &&
    at.wire.filter((other) => other.ghost).length < mostGhosts
  return [
    ...handle(at.server, ask, mostOrders).map(({ label, server, answer }): Event => ({
      label: `${ghost ? 'a late ' : ''}${ask.port}: the server ${label}`,
      to: {
        ...(ghost ? withoutWire(at, index) : withWire(at, index, { answer })),
        server,
      },
    })),
    ...(ghost
      ? [{ label: `a late ${ask.port} is lost`, to: withoutWire(at, index) }]
      : deliver(protocol, at, index, down, `${ask.port} is lost`)),
    ...(canDouble
      ? [{ label: `${ask.port} is sent twice`, to: doubleRequest(at, ask, index) }]
      : []),
  ]
}

/** Sends a second copy of a request, whose answer the client does not wait for. */
function doubleRequest(at: Composite, ask: Ask, index: number): Composite {
  const sent = withWire(at, index, { doubled: true })
  return { ...sent, wire: [...sent.wire, { ask, answer: null, ghost: true, doubled: true }] }
}

function withWire(at: Composite, index: number, changed: Partial<Wire>): Composite {
  return {
    ...at,
    wire: at.wire.map((other, place) => (place === index ? { ...other, ...changed } : other)),
  }
}

function withoutWire(at: Composite, index: number): Composite {
  return { ...at, wire: at.wire.filter((_, place) => place !== index) }
}

/** The client receives the outcome of a request; no event when it no longer waits for it. */
function deliver(
  protocol: Protocol,
  at: Composite,
  index: number,
  outcome: NamedOutcome,
  label: string,
): Event[] {
  const sent = at.wire[index]
  const call =
    sent === undefined
      ? undefined
      : pendingCalls(at.client).find((each) => isSameAsk(readAsk(each), sent.ask))
  if (sent === undefined || call === undefined) return []
  const move = protocol.client.step(at.client, settling(call, outcome))
  const known = outcome === down ? at.known : knownAfter(at.known, sent)
  return [{ label, to: { ...follow(protocol, withoutWire(at, index), move), known } }]
}

/** The orders that the client knows to be paid, after the answer to a request. */
function knownAfter(known: readonly string[], { ask, answer }: Wire): readonly string[] {
  const no = answer?.kind === 'order' ? answer.no : 'no' in ask ? ask.no : null
  return answer !== null && saysPaid(answer) && no !== null ? [...new Set([...known, no])] : known
}

/**
 * A client starts with stored facts. Unanswered requests of the client before it become ghosts when
 * they have an effect.
 */
function startClient(
  protocol: Protocol,
  from: Omit<Composite, 'client'>,
  facts: DownloadFacts | null,
  late: boolean,
): Composite {
  const move = protocol.client.start(facts, late)
  return follow(
    protocol,
    {
      ...from,
      client: { ...move.at, children: [] },
      wire: from.wire
        .filter(({ ask, answer }) => answer === null && hasEffect(ask))
        .map((each) => ({ ...each, ghost: true }))
        .slice(-protocol.bounds.ghosts),
      known: [],
      current: facts?.order.orderNo ?? null,
    },
    move,
  )
}

/**
 * Applies a step of the client: requests sent and abandoned, facts stored. Requests that do not
 * concern payments are answered at once.
 */
function follow(protocol: Protocol, before: Composite, { at, effects }: Move): Composite {
  const { client, bounds } = protocol
  const fresh = pendingCalls(at).filter((call) => !before.client.children.includes(call))
  const asks = fresh.flatMap((call) => readAsk(call) ?? [])
  const wire = wireAfter(
    before.wire,
    pendingCalls(at).filter((call) => !fresh.includes(call)),
  )
  const no = (at.snapshot.context as DownloadContext).order?.orderNo ?? null
  const isShown = at.snapshot.matches('scanPay' as never)
  const next: Composite = {
    ...before,
    client: client.one(at),
    facts: factsAfter(before.facts, effects),
    wire: [
      ...wire.filter(({ ghost }) => !ghost),
      ...wire.filter(({ ghost }) => ghost).slice(-bounds.ghosts),
      ...asks.map((ask): Wire => ({ ask, answer: null, ghost: false, doubled: false })),
    ],
    shown:
      isShown && no !== null && !before.shown.includes(no) ? [...before.shown, no] : before.shown,
    asked: [
      ...new Set([
        ...before.asked,
        ...asks.flatMap((ask) => (ask.port === 'cancelOrder' ? [ask.no] : [])),
      ]),
    ].sort(),
    current: no ?? before.current,
  }
  const quick = pendingCalls(at).find(({ source }) =>
    (quickPorts as readonly string[]).includes(source),
  )
  return quick === undefined ? next : answerQuickCall(protocol, next, quick)
}

/** Answers a call that does not concern payments. */
function answerQuickCall(protocol: Protocol, at: Composite, quick: RunningChild): Composite {
  const answers = {
    detail: student,
    reports,
    preview: 'cGRm',
    price: { REPORT_NAME: 'n1', PRINT_PRICE: at.server.entitled ? 0 : 5 },
  } as const
  const output = answers[quick.source as keyof typeof answers]
  const outcome: NamedOutcome = { name: 'ok', ok: true, output }
  return follow(protocol, at, protocol.client.step(at.client, settling(quick, outcome)))
}

/**
 * The earlier requests after a step of the client that leaves it waiting for these calls. An
 * abandoned query has no effect and is dropped; an abandoned order or cancellation may have one.
 */
function wireAfter(
  before: readonly Wire[],
  stillWaiting: readonly RunningChild[],
): readonly Wire[] {
  const waits = (ask: Ask) => stillWaiting.some((call) => isSameAsk(readAsk(call), ask))
  return before.flatMap((each) =>
    each.ghost || waits(each.ask)
      ? [each]
      : hasEffect(each.ask) && each.answer === null
        ? [{ ...each, ghost: true }]
        : [],
  )
}

/** The facts that the client stored last, after a step with these effects. */
function factsAfter(
  before: DownloadFacts | null,
  effects: readonly string[],
): DownloadFacts | null {
  const stored = effects.findLast((effect) => effect.startsWith('emit {"type":"facts"'))
  if (stored === undefined) return before
  return (JSON.parse(stored.slice('emit '.length)) as { facts: DownloadFacts | null }).facts ?? null
}

/** Whether the server may change something when it handles the request. */
function hasEffect({ port }: Ask): boolean {
  return port === 'order' || port === 'cancelOrder'
}

function isSameAsk(one: Ask | null, other: Ask): boolean {
  return (
    one !== null &&
    one.port === other.port &&
    ('no' in one ? one.no : '') === ('no' in other ? other.no : '')
  )
}

function readAsk({ source: port, input }: RunningChild): Ask | null {
  return port === 'order'
    ? { port }
    : port === 'orderStatus' || port === 'cancelOrder' || port === 'download'
      ? { port, no: (input as { orderNo: string }).orderNo }
      : null
}

function settling({ name, source }: RunningChild, outcome: NamedOutcome): Step {
  return {
    kind: 'settle',
    label: `${source} → ${outcome.name}`,
    call: name,
    source,
    outcome,
    event: outcome.ok
      ? ({ type: `xstate.done.actor.${name}`, output: outcome.output, actorId: name } as never)
      : ({ type: `xstate.error.actor.${name}`, error: outcome.error, actorId: name } as never),
  }
}

function saysPaid(answer: Answer): boolean {
  return (
    (answer.kind === 'order' || answer.kind === 'status' || answer.kind === 'refused') &&
    answer.status === '1'
  )
}

function toNamedOutcome(answer: Answer): NamedOutcome {
  if (answer.kind === 'order')
    return { name: answer.status, ok: true, output: buildPrintOrder(answer.no, answer.status) }
  if (answer.kind === 'status')
    return { name: answer.status, ok: true, output: { code_status: answer.status } }
  if (answer.kind === 'file') return { name: 'file', ok: true, output: undefined }
  return {
    name: 'refused',
    ok: false,
    error: new ApiProblem({
      kind: 'refused',
      code: 409,
      message: 'refused',
      issues: [],
      data: answer.status === null ? null : { code_status: answer.status },
      traceId: null,
    }),
  }
}

/**
 * Key of the state without the client, reduced to what a property or a later event can observe; the
 * full state would have ten times as many keys.
 */
function restOfKey(at: Composite): string {
  const { server, wire, facts } = at
  const isOpen = (no: string) =>
    server.orders.some((each) => each.no === no && each.state === 'PENDING')
  const mayPay = (no: string) => server.orders.some((each) => each.no === no && !each.money)
  const orders = server.orders.map(
    ({ no, state, money, closedFirst }) =>
      `${no}${state}${money ? '¥' : ''}${closedFirst && state === 'PAID' ? '!' : ''}${at.shown.includes(no) && mayPay(no) ? 's' : ''}${at.asked.includes(no) && isOpen(no) ? '?' : ''}`,
  )
  const about =
    isAt(at, 'scanPay') || isAt(at, 'closing') || isAt(at, 'failed')
      ? `${at.current ?? ''}${at.current !== null && at.known.includes(at.current) ? '=' : ''}`
      : ''
  const requests = wire
    .map(
      ({ ask, answer, ghost, doubled }) =>
        `${ask.port}${'no' in ask ? ask.no : ''}${answer === null ? '' : JSON.stringify(answer)}${ghost ? 'g' : ''}${doubled ? 'd' : ''}`,
    )
    .sort()
  return [
    orders.join(),
    about,
    requests.join(),
    facts === null ? '' : `${facts.order.orderNo}${facts.order.amount}${facts.paid}`,
  ].join('|')
}
