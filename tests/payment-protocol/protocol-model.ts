import { ApiProblem } from '@jiaowu/api'
import type { DownloadContext, DownloadFacts } from '@jiaowu/machines'
import type { AnyStateMachine } from 'xstate'
import type { NamedOutcome, Step } from '@jiaowu/path-tests'
import type { Call, Move, World } from '@jiaowu/path-tests/explore/world'
import { downloadPayModel } from '../machines/download/model.ts'
import { order, reports, student } from '../machines/download/samples.ts'
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
  readonly client: World
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
const places = new WeakMap<World, Map<string, boolean>>()

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

/**
 * Composes the machine, or a mutant of it, with a network that loses, duplicates and reorders
 * messages, the server and the provider.
 */
export function protocolModel(
  machine: AnyStateMachine = downloadPayModel.machine,
  { orders: mostOrders, ghosts: mostGhosts }: Bounds = smallest,
) {
  const { start, step, stepsOf, keyOf, one } = clientModel(machine)

  /**
   * Applies a step of the client: requests sent and abandoned, facts stored. Requests that do not
   * concern payments are answered at once.
   */
  const follow = (before: Composite, move: Move): Composite => {
    const { world, effects } = move
    const fresh = world.waiting.filter((call) => !before.client.waiting.includes(call))
    const waits = (ask: Ask) =>
      world.waiting.some((call) => !fresh.includes(call) && isSame(askOf(call), ask))
    // An abandoned query has no effect; an abandoned order or cancellation may have one.
    const wire = before.wire.flatMap((each) =>
      each.ghost || waits(each.ask)
        ? [each]
        : (each.ask.port === 'order' || each.ask.port === 'cancelOrder') && each.answer === null
          ? [{ ...each, ghost: true }]
          : [],
    )
    const asks = fresh.flatMap((call) => askOf(call) ?? [])
    const keeps = effects
      .filter((effect) => effect.startsWith('emit {"type":"facts"'))
      .map(
        (effect) =>
          (JSON.parse(effect.slice('emit '.length)) as { facts: DownloadFacts | null }).facts,
      )
    const no = (world.snapshot.context as DownloadContext).order?.orderNo ?? null
    const isShown = world.snapshot.matches('scanPay' as never)
    const next: Composite = {
      ...before,
      client: one(world),
      facts: keeps.length > 0 ? (keeps.at(-1) ?? null) : before.facts,
      wire: [
        ...wire.filter(({ ghost }) => !ghost),
        ...wire.filter(({ ghost }) => ghost).slice(-mostGhosts),
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
    const quick = world.waiting.find(({ port }) => (quickPorts as readonly string[]).includes(port))
    if (quick === undefined) return next
    const answers = {
      detail: student,
      reports,
      preview: 'cGRm',
      price: { REPORT_NAME: 'n1', PRINT_PRICE: next.server.entitled ? 0 : 5 },
    } as const
    return follow(
      next,
      step(
        next.client,
        settling(quick, {
          name: 'ok',
          ok: true,
          output: answers[quick.port as keyof typeof answers],
        }),
      ),
    )
  }

  const begin = (
    from: Omit<Composite, 'client'>,
    facts: DownloadFacts | null,
    late: boolean,
  ): Composite => {
    const move = start(facts, late)
    return follow(
      {
        ...from,
        client: { ...move.world, waiting: [] },
        wire: from.wire
          .filter(
            ({ ask, answer }) =>
              answer === null && (ask.port === 'order' || ask.port === 'cancelOrder'),
          )
          .map((each) => ({ ...each, ghost: true }))
          .slice(-mostGhosts),
        known: [],
        current: facts?.order.orderNo ?? null,
      },
      move,
    )
  }

  const deliver = (at: Composite, index: number, outcome: NamedOutcome, label: string): Event[] => {
    const sent = at.wire[index]
    const call =
      sent === undefined
        ? undefined
        : at.client.waiting.find((each) => isSame(askOf(each), sent.ask))
    if (sent === undefined || call === undefined) return []
    const without = { ...at, wire: at.wire.filter((_, other) => other !== index) }
    const about =
      sent.answer?.kind === 'order' ? sent.answer.no : 'no' in sent.ask ? sent.ask.no : null
    const known =
      outcome !== down && sent.answer !== null && toldPaid(sent.answer) && about !== null
        ? [...new Set([...at.known, about])]
        : at.known
    return [{ label, to: { ...follow(without, step(at.client, settling(call, outcome))), known } }]
  }

  const networkEvents = (at: Composite): Event[] =>
    at.wire.flatMap((each, index): Event[] => {
      const { ask, answer, ghost, doubled } = each
      const put = (changed: Partial<Wire>, server = at.server): Composite => ({
        ...at,
        server,
        wire: at.wire.map((other, place) => (place === index ? { ...other, ...changed } : other)),
      })
      const drop = (server = at.server): Composite => ({
        ...at,
        server,
        wire: at.wire.filter((_, place) => place !== index),
      })
      if (answer !== null)
        return [
          ...deliver(at, index, outcomeOf(answer), `${ask.port} is answered`),
          ...deliver(at, index, down, `the answer to ${ask.port} is lost`),
        ]
      const changes = ask.port === 'order' || ask.port === 'cancelOrder'
      return [
        ...handle(at.server, ask, mostOrders).map(({ label, server, answer: told }): Event => ({
          label: `${ghost ? 'a late ' : ''}${ask.port}: the server ${label}`,
          to: ghost ? drop(server) : put({ answer: told }, server),
        })),
        ...(ghost
          ? [{ label: `a late ${ask.port} is lost`, to: drop() }]
          : deliver(at, index, down, `${ask.port} is lost`)),
        ...(changes &&
        !ghost &&
        !doubled &&
        at.wire.filter((other) => other.ghost).length < mostGhosts
          ? [
              {
                label: `${ask.port} is sent twice`,
                to: {
                  ...put({ doubled: true }),
                  wire: [
                    ...put({ doubled: true }).wire,
                    { ask, answer: null, ghost: true, doubled: true },
                  ],
                },
              },
            ]
          : []),
      ]
    })

  const clientEvents = (at: Composite): Event[] =>
    stepsOf(at.client).map((taken): Event => ({
      label: taken.label,
      to: follow(at, step(at.client, taken)),
    }))
  const again = (at: Composite): Event[] =>
    at.client.snapshot.status === 'active'
      ? [
          { label: 'reload', to: begin(at, at.facts, false) },
          ...(at.facts === null || at.facts.paid
            ? []
            : [{ label: 'reload after the time ran out', to: begin(at, at.facts, true) }]),
        ]
      : [{ label: 'sign in again', to: begin(at, null, false) }]

  const blank = {
    server: emptyServer,
    wire: [],
    shown: [],
    asked: [],
    known: [],
    current: null,
    facts: null,
  } as const
  return {
    start: (): Composite => begin(blank, null, false),
    events: (at: Composite): Event[] => [
      ...spontaneousEvents(at.server, at.shown).map(({ label, server }): Event => ({
        label,
        to: { ...at, server },
      })),
      ...clientEvents(at),
      ...networkEvents(at),
      ...again(at),
    ],
    key: (at: Composite): string => `${keyOf(at.client)}|${restOfKey(at)}`,
  }
}

function isSame(one: Ask | null, other: Ask): boolean {
  return (
    one !== null &&
    one.port === other.port &&
    ('no' in one ? one.no : '') === ('no' in other ? other.no : '')
  )
}

function askOf({ port, input }: Call): Ask | null {
  return port === 'order'
    ? { port }
    : port === 'orderStatus' || port === 'cancelOrder' || port === 'download'
      ? { port, no: (input as { orderNo: string }).orderNo }
      : null
}

function settling({ id, port }: Call, outcome: NamedOutcome): Step {
  return {
    kind: 'settle',
    label: `${port} → ${outcome.name}`,
    port,
    outcome,
    event: outcome.ok
      ? ({ type: `xstate.done.actor.${id}`, output: outcome.output, actorId: id } as never)
      : ({ type: `xstate.error.actor.${id}`, error: outcome.error, actorId: id } as never),
  }
}

function toldPaid(answer: Answer): boolean {
  return (
    (answer.kind === 'order' || answer.kind === 'status' || answer.kind === 'refused') &&
    answer.status === '1'
  )
}

function outcomeOf(answer: Answer): NamedOutcome {
  if (answer.kind === 'order')
    return { name: answer.status, ok: true, output: order(answer.no, answer.status) }
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
