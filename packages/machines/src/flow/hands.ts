// Acts on the people of a step of one case: to hand a task over (转办), and to add somebody (加签). They are
// transitions of the compiled machine (docs/rules/contract.md#flows).
import { type FlowAllowed, flowAddWays } from '@jiaowu/api/entity/definition/flow'
import { type FlowParts, isDecision, isForward, listAncestors } from './parts.ts'
import {
  type FlowAddWay,
  type FlowContext,
  type FlowPerson,
  isBarred,
  isOfApplicant,
  listAdditions,
  mayDecide,
  withHanded,
} from './people.ts'

export type FlowHand =
  | {
      readonly kind: 'transfer'
      readonly state: string
      /** The person whose task it is. */
      readonly from: FlowPerson
      readonly to: string
    }
  | {
      readonly kind: 'add'
      readonly state: string
      /** The person whose task it is. */
      readonly from: FlowPerson
      readonly way: FlowAddWay
      readonly person: string | null
      readonly role: string | null
    }

/** The reason why the act is not possible. */
export type HandFault =
  | 'notAllowed'
  | 'notAsked'
  | 'applicant'
  | 'self'
  | 'barred'
  | 'alreadyAdded'
  | 'tooMany'

const mostAdded = 10

/** Acts that a state allows. */
interface Allowed {
  readonly transfer: boolean
  readonly add: readonly FlowAddWay[]
  readonly substitute: boolean
  readonly copy: boolean
}

/** By the state itself, else by the states around it, else by the flow; all where nothing is said. */
export function resolveAllowed({ flow, states }: FlowParts, state: string): Allowed {
  const around = [state, ...listAncestors(state)].map((path) => states.get(path)?.state?.allow)
  const given = Object.assign(
    {},
    ...[...around, flow.allow].toReversed().map((each) => each ?? {}),
  ) as FlowAllowed
  return {
    transfer: given.transfer ?? true,
    add: given.add ?? flowAddWays,
    substitute: given.substitute ?? true,
    copy: given.copy ?? true,
  }
}

/** Null where the act is possible. `hand.state` is a state that the case is in. */
export function findHandFault(
  parts: FlowParts,
  context: FlowContext,
  hand: FlowHand,
): HandFault | null {
  const { state, from } = hand
  const allowed = resolveAllowed(parts, state)
  if (hand.kind === 'transfer' ? !allowed.transfer : !allowed.add.includes(hand.way))
    return 'notAllowed'
  if (!isWaitedFor(parts, context, state, from)) return 'notAsked'
  const to = hand.kind === 'transfer' ? hand.to : hand.person
  if (hand.kind === 'add') {
    const open = listAdditions(context, state)
    if (open.some(({ person, role }) => person === hand.person && role === hand.role))
      return 'alreadyAdded'
    if (open.length >= mostAdded) return 'tooMany'
  }
  if (to === null) return null
  if (to === from.id || to === from.for) return 'self'
  if (to === context.applicant) return 'applicant'
  if (hand.kind === 'transfer' && listAdditions(context, state).some(({ person }) => person === to))
    return 'alreadyAdded'
  // Whoever gave the task away may get it back.
  const given = {
    ...context,
    handed: (context.handed ?? []).filter((each) => each.state !== state || each.from !== to),
  }
  return listDecisions(parts, state).every(({ people, type }) =>
    isBarred(people, {
      context: given,
      person: { id: to },
      state,
      votes: context.votes[type] ?? [],
    }),
  )
    ? 'barred'
    : null
}

/** Whether the step waits for a decision of the person, apart from conditions on the row. */
export function isWaitedFor(
  parts: FlowParts,
  context: FlowContext,
  state: string,
  person: FlowPerson,
): boolean {
  return listDecisions(parts, state).some(({ people, type, leadsOn }) =>
    mayDecide(people, {
      context,
      person,
      state,
      type,
      isForward: leadsOn,
      votes: context.votes[type] ?? [],
    }),
  )
}

/** Events of a state that decide, without those of the applicant. */
function listDecisions(parts: FlowParts, state: string) {
  return parts.events.flatMap((part) =>
    part.path === state && part.people !== null && isDecision(part) && !isOfApplicant(part.people)
      ? [{ people: part.people, type: part.type, leadsOn: isForward(parts, part) }]
      : [],
  )
}

export function applyHand(context: FlowContext, hand: FlowHand): FlowContext {
  const { state } = hand
  if (hand.kind === 'add') {
    const { way, person, role, from } = hand
    return {
      ...context,
      added: [...(context.added ?? []), { state, way, person, role, by: from.id, votedBy: null }],
    }
  }
  const giver = hand.from.for ?? hand.from.id
  const { to } = hand
  const passed = (context.handed ?? []).map((each) =>
    each.state === state && each.to === giver ? { ...each, to } : each,
  )
  const isNamed = listAdditions(context, state).some(({ person }) => person === giver)
  const { terms } = withHanded(hand.from, context, state)
  return {
    ...context,
    // A task that returns to the person who gave it away is theirs again.
    handed: [...passed, { state, from: giver, to, terms }].filter(
      (each) => each.from !== each.to && !(each.state === state && each.from === to),
    ),
    ...(isNamed && {
      added: (context.added ?? []).map((each) =>
        each.state === state && each.person === giver && each.votedBy === null
          ? { ...each, person: to }
          : each,
      ),
    }),
  }
}
