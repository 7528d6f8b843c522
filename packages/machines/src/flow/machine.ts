// Compiles a flow to a statechart. The server decides with it, screens offer what it allows, and the prover
// walks it: nothing else interprets a flow (docs/rules/contract.md#flows).
import { compileExpression } from '@jiaowu/validation'
import type { FlowEffect } from '@jiaowu/api/entity/definition/flow'
import { type AnyStateMachine, assign, setup } from 'xstate'
import {
  completesDecision,
  type FlowContext,
  type FlowPeople,
  type FlowPerson,
  forgetState,
  keepVote,
  mayDecide,
} from './people.ts'
import { applyHand, findHandFault, type FlowHand } from './hands.ts'
import { type EventPart, type FlowParts, isDecision, isForward, type StatePart } from './parts.ts'

export interface FlowMachineEvent {
  readonly type: string
  /** Null for timers. */
  readonly by: FlowPerson | null
  readonly row: Readonly<Record<string, unknown>>
  /** Comes with the events `@transfer` and `@add`. */
  readonly hand?: FlowHand
}

interface DecisionParams {
  readonly people: FlowPeople
  readonly when: string | null
  readonly state: string
  readonly type: string
  readonly isForward: boolean
}
/** Parameters of the action `perform`, which the caller of `decide` carries out. */
export interface PerformParams {
  readonly effects: readonly FlowEffect[]
  /** The state, and the event or timer, that the effects belong to. */
  readonly state: string
  readonly event: string
}

interface Guarded {
  readonly context: FlowContext
  readonly event: FlowMachineEvent
}

/** Whether the row meets `when`; an expression that cannot be computed is not met. */
export function meetsWhen(when: string | null, row: Readonly<Record<string, unknown>>): boolean {
  if (when === null) return true
  try {
    return compileExpression(when).test({ row, user: {}, mode: 'flow' })
  } catch {
    return false
  }
}

function isDecider(
  { context, event }: Guarded,
  { people, when, state, type, isForward }: DecisionParams,
): boolean {
  return (
    event.by !== null &&
    meetsWhen(when, event.row) &&
    mayDecide(people, {
      context,
      person: event.by,
      state,
      type,
      isForward,
      votes: context.votes[type] ?? [],
    })
  )
}

const flowSetup = setup({
  types: {} as {
    context: FlowContext
    input: { applicant: string | null }
    events: FlowMachineEvent
  },
  guards: {
    isDecider,
    isLastDecider: (given: Guarded, params: DecisionParams) =>
      isDecider(given, params) &&
      given.event.by !== null &&
      completesDecision(params.people, {
        context: given.context,
        person: given.event.by,
        state: params.state,
        type: params.type,
        isForward: params.isForward,
        votes: given.context.votes[params.type] ?? [],
      }),
    isHandAllowed: (
      { context, event }: Guarded,
      { parts, state }: { readonly parts: FlowParts; readonly state: string },
    ) =>
      event.hand !== undefined &&
      event.hand.state === state &&
      findHandFault(parts, context, event.hand) === null,
  },
  actions: {
    /** The applicant decides nothing: acts of theirs are in the log alone. */
    recordDecision: assign({
      decided: ({ context, event }, { state }: DecisionParams) =>
        event.by === null || event.by.id === context.applicant
          ? context.decided
          : [
              ...context.decided,
              { by: event.by.id, state },
              // Whoever acts through a substitute has decided too.
              ...(event.by.for === undefined ? [] : [{ by: event.by.for, state }]),
            ],
    }),
    recordVote: assign(({ context, event }, { people, state, type, isForward }: DecisionParams) =>
      event.by === null
        ? {}
        : keepVote(people, {
            context,
            person: event.by,
            state,
            type,
            isForward,
            votes: context.votes[type] ?? [],
          }),
    ),
    /** A state that is entered again asks everybody again. */
    forgetVotes: assign(({ context }, { state }: { state: string }) => ({
      handed: undefined,
      added: undefined,
      agreed: undefined,
      ...forgetState(context, state),
    })),
    /** Gives the task of a person to another, or adds somebody to the step. */
    hand: assign(({ context, event }) =>
      event.hand === undefined ? {} : applyHand(context, event.hand),
    ),
    perform: (_given, _params: PerformParams) => {},
    /** Tells the caller of `decide` which states were entered, whose timers begin. */
    enter: (_given, _params: { state: string }) => {},
    /** Keeps an event that decides nothing: a transition without a target and an action would be none. */
    acknowledge: () => {},
  },
})

/** @param parts without faults */
export function buildFlowMachine(parts: FlowParts): AnyStateMachine {
  const { flow, states } = parts
  const config = {
    id: 'flow',
    context: ({ input }: { input: { applicant: string | null } }): FlowContext => ({
      applicant: input.applicant,
      decided: [],
      votes: {},
    }),
    initial: flow.initial,
    states: buildStates(parts, states.get('')),
    on: buildTransitions(parts, ''),
  }
  // A configuration made at run time has no literal types.
  return flowSetup.createMachine(config as unknown as Parameters<typeof flowSetup.createMachine>[0])
}

function buildStates(parts: FlowParts, part: StatePart | undefined): Record<string, unknown> {
  return Object.fromEntries(
    (part?.children ?? []).map((key) => [
      key,
      buildState(parts, part === undefined || part.path === '' ? key : `${part.path}.${key}`),
    ]),
  )
}

function buildState(parts: FlowParts, path: string): Record<string, unknown> {
  const part = parts.states.get(path)
  if (part?.isFinal === true) return { type: 'final' }
  const done = parts.done.get(path)
  return {
    ...(part?.isParallel === true && { type: 'parallel' }),
    ...(part?.state?.initial !== undefined && { initial: part.state.initial }),
    ...(part !== undefined && part.children.length > 0 && { states: buildStates(parts, part) }),
    entry: [
      { type: 'forgetVotes', params: { state: path } },
      { type: 'enter', params: { state: path } },
    ],
    on: { ...buildTransitions(parts, path), ...buildHands(parts, path) },
    ...(done !== undefined && {
      onDone: { target: `#flow.${done.target}`, actions: performs(done.effects, path, 'onDone') },
    }),
  }
}

function performs(effects: readonly FlowEffect[], state: string, event: string) {
  return effects.length === 0 ? [] : [{ type: 'perform', params: { effects, state, event } }]
}

/** Acts on the people of a state: they move nothing. */
function buildHands(parts: FlowParts, state: string): Record<string, unknown> {
  const act = { guard: { type: 'isHandAllowed', params: { parts, state } }, actions: ['hand'] }
  return { '@transfer': act, '@add': act }
}

function buildTransitions(parts: FlowParts, path: string): Record<string, unknown[]> {
  const built: Record<string, unknown[]> = {}
  for (const each of parts.events)
    if (each.path === path)
      (built[each.type] ??= []).push(...buildTransition(each, isForward(parts, each)))
  return built
}

function buildTransition(part: EventPart, leadsOn: boolean) {
  const { type, path, key, no, event, people, target, effects } = part
  const move = target === null ? {} : { target: `#flow.${target}`, reenter: true }
  if (event === null || people === null)
    return [{ ...move, meta: { no }, actions: performs(effects, path, key) }]
  const params: DecisionParams = {
    people,
    when: event.when ?? null,
    state: path,
    type,
    isForward: leadsOn,
  }
  const records = [isDecision(part) ? { type: 'recordDecision', params } : { type: 'acknowledge' }]
  const last = {
    ...move,
    guard: { type: 'isLastDecider', params },
    meta: { no },
    actions: [...records, ...performs(effects, path, key)],
  }
  // Where one is enough, votes are kept for those who were added.
  return people.need === 'any' && !(leadsOn && path !== '')
    ? [last]
    : [
        last,
        {
          guard: { type: 'isDecider', params },
          meta: { no },
          actions: [...records, { type: 'recordVote', params }],
        },
      ]
}
