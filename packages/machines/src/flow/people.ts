// People of a flow as data, and whether their decisions are enough (docs/rules/contract.md#flows).
import type { flowAddWays, FlowTerm, FlowWho } from '@jiaowu/api/entity/definition/flow'

/** A person as a flow sees them: an id, and the terms of the flow that they meet for the row. */
export interface FlowPerson {
  readonly id: string
  /** Keys of terms (`buildTermKey`), without that of the applicant, whom the case names. */
  readonly terms: readonly string[]
  /** The person in whose name a substitute acts; the terms are those of that person. */
  readonly for?: string
}

/** A decision in a case. `state` is the path of the state of the event. */
interface FlowDecision {
  readonly by: string
  readonly state: string
}
interface FlowVote {
  readonly by: string
  readonly terms: readonly string[]
  readonly for?: string
  /** Whether it is the vote of somebody who was added. */
  readonly isAdded?: true
}

/** A person who decides in a state instead of another, with the terms of that one (转办). */
interface FlowHanding {
  readonly state: string
  readonly from: string
  readonly to: string
  readonly terms: readonly string[]
}

/** When somebody who was added decides: before the people of the step, after them, or beside them (加签). */
export type FlowAddWay = (typeof flowAddWays)[number]
/** A person, or a holder of a role, whose consent a step of this case needs besides. */
export interface FlowAddition {
  readonly state: string
  readonly way: FlowAddWay
  readonly person: string | null
  readonly role: string | null
  /** The person who added them. */
  readonly by: string
  readonly votedBy: string | null
}

/** Facts of a case, kept as they are; a machine's snapshot is not (its format may change). */
export interface FlowContext {
  readonly applicant: string | null
  /** Without those of the applicant. */
  readonly decided: readonly FlowDecision[]
  /** By event, where several people decide together. */
  readonly votes: Readonly<Record<string, readonly FlowVote[]>>
  readonly handed?: readonly FlowHanding[] | undefined
  readonly added?: readonly FlowAddition[] | undefined
  /** By state, the event on which its people agreed while somebody who was added has not. */
  readonly agreed?: Readonly<Record<string, string>> | undefined
}

/** The people of an event: any of the terms, one person for each, or so many. */
export interface FlowPeople {
  readonly terms: readonly FlowTerm[]
  readonly need: 'any' | 'all' | number
  readonly others: boolean
}

export function buildTermKey(term: FlowTerm): string {
  return 'role' in term
    ? `role ${term.role}${term.within === undefined ? '' : ` within ${term.within}`}`
    : 'person' in term
      ? `person ${term.person}`
      : applicantKey
}
export const applicantKey = 'applicant'

/** Null where a combination stands beside other terms, or no term is given. */
export function parsePeople(who: FlowWho): FlowPeople | null {
  const others = who.includes('others')
  const parts = who.filter((part) => part !== 'others')
  const [first] = parts
  if (first === undefined) return null
  if (parts.length === 1) {
    if ('any' in first) return { terms: first.any, need: 'any', others }
    if ('all' in first) return { terms: first.all, need: 'all', others }
    if ('of' in first) return { terms: first.of, need: first.n, others }
  }
  const terms = parts.filter(
    (part): part is FlowTerm => !('any' in part || 'all' in part || 'of' in part),
  )
  return terms.length === parts.length ? { terms, need: 'any', others } : null
}

function meetsTerm(term: FlowTerm, person: FlowPerson, applicant: string | null): boolean {
  return 'applicant' in term ? person.id === applicant : person.terms.includes(buildTermKey(term))
}

/** Whether the event asks the person at all: by their terms, by hand-over, or because they were added. */
export function isAsked(
  people: FlowPeople,
  person: FlowPerson,
  context: FlowContext,
  state: string,
): boolean {
  return (
    meetsTerms(people, withHanded(person, context, state), context) ||
    (!isOfApplicant(people) &&
      listAdditions(context, state).some((addition) => isAdded(addition, person)))
  )
}

function meetsTerms(
  { terms }: FlowPeople,
  person: FlowPerson,
  { applicant }: Pick<FlowContext, 'applicant'>,
): boolean {
  return terms.some((term) => meetsTerm(term, person, applicant))
}

/** Whether the event is the applicant's alone, such as to withdraw. */
export function isOfApplicant({ terms }: FlowPeople): boolean {
  return terms.every((term) => 'applicant' in term)
}

/** The person with the terms of those who handed their task over to them. */
export function withHanded(
  person: FlowPerson,
  { handed = [] }: FlowContext,
  state: string,
): FlowPerson {
  const own = handed.filter((each) => each.state === state && each.to === actsAs(person))
  return own.length === 0
    ? person
    : { ...person, terms: [...new Set([...person.terms, ...own.flatMap(({ terms }) => terms)])] }
}

function actsAs(person: Pick<FlowPerson, 'id' | 'for'>): string {
  return person.for ?? person.id
}

/** The additions of a state that still wait. */
export function listAdditions({ added = [] }: FlowContext, state: string): readonly FlowAddition[] {
  return added.filter((each) => each.state === state && each.votedBy === null)
}

function isAdded({ person: added, role, by }: FlowAddition, person: FlowPerson): boolean {
  if (added !== null) return added === actsAs(person)
  // An office is added for another opinion than one's own.
  return role !== null && by !== person.id && person.terms.includes(buildTermKey({ role }))
}

/** Whether those who were added may decide on the event now. */
export function isTurn(
  { way }: FlowAddition,
  { agreed }: FlowContext,
  { state, type, isForward }: Pick<Deciding, 'state' | 'type' | 'isForward'>,
): boolean {
  const on = agreed?.[state]
  return way === 'after' && on === undefined ? false : !isForward || on === undefined || on === type
}

/** Whether the people of the step wait: for those added before them, or because they have agreed. */
export function isWaiting(context: FlowContext, state: string): boolean {
  return (
    context.agreed?.[state] !== undefined ||
    listAdditions(context, state).some(({ way }) => way === 'before')
  )
}

/** The capacity in which the person may decide now, apart from `when`; null where they may not. */
function findCapacity(
  people: FlowPeople,
  deciding: Deciding,
): { readonly addition: FlowAddition | null; readonly person: FlowPerson } | null {
  const { context, state, votes } = deciding
  if (isBarred(people, deciding)) return null
  const person = withHanded(deciding.person, context, state)
  const open = isOfApplicant(people)
    ? []
    : listAdditions(context, state).filter(
        (addition) => isAdded(addition, person) && isTurn(addition, context, deciding),
      )
  const named = open.find((addition) => addition.person !== null)
  if (named !== undefined) return { addition: named, person }
  const isOpen =
    meetsTerms(people, person, context) &&
    (isOfApplicant(people) || !isWaiting(context, state)) &&
    (people.need !== 'all' ||
      countMatched(people, votes, person, context.applicant) >
        countMatched(people, votes, null, context.applicant))
  if (isOpen) return { addition: null, person }
  const [office] = open
  return office === undefined ? null : { addition: office, person }
}

/** Whether the person may decide now, apart from `when`. */
export function mayDecide(people: FlowPeople, deciding: Deciding): boolean {
  return findCapacity(people, deciding) !== null
}

/**
 * Whether the case itself excludes the person: by `others`, because their vote is in, or because they handed
 * their task over. A substitute is excluded by what the person has done in whose name they act, too.
 */
export function isBarred(
  people: FlowPeople,
  {
    context,
    person,
    state,
    votes,
  }: Pick<Deciding, 'context' | 'state' | 'votes'> & {
    readonly person: Pick<FlowPerson, 'id' | 'for'>
  },
): boolean {
  const { applicant, decided, handed = [], added = [] } = context
  const ids = person.for === undefined ? [person.id] : [person.id, person.for]
  const isAmong = (id: string | null | undefined) => id != null && ids.includes(id)
  // Nobody acts in the name of the applicant, and no applicant in the name of another.
  if (person.for !== undefined && isAmong(applicant)) return true
  const isOther =
    !isAmong(applicant) && !decided.some((each) => isAmong(each.by) && each.state !== state)
  if (people.others && !isOther) return true
  if (votes.some((vote) => isAmong(vote.by) || isAmong(vote.for))) return true
  if (isOfApplicant(people)) return false
  return (
    handed.some((each) => each.state === state && isAmong(each.from) && each.to !== each.from) ||
    added.some((each) => each.state === state && isAmong(each.votedBy))
  )
}

/** Whether the decision of the person, who may decide, is the last one that the event needs. */
export function completesDecision(people: FlowPeople, deciding: Deciding): boolean {
  const capacity = findCapacity(people, deciding)
  if (capacity === null) return false
  const { context, state, type, isForward } = deciding
  if (!isForward || isOfApplicant(people))
    return capacity.addition !== null || completesPeople(people, deciding, capacity.person)
  const others = listAdditions(context, state).filter((each) => each !== capacity.addition)
  return (
    others.length === 0 &&
    (context.agreed?.[state] === type ||
      (capacity.addition === null && completesPeople(people, deciding, capacity.person)))
  )
}

/** Whether the people of the step agree with this vote, whoever was added. */
function completesPeople(
  people: FlowPeople,
  { context, votes }: Deciding,
  person: FlowPerson,
): boolean {
  const own = votes.filter(({ isAdded: added }) => added !== true)
  return people.need === 'any'
    ? true
    : people.need === 'all'
      ? countMatched(people, own, person, context.applicant) === people.terms.length
      : own.length + 1 >= people.need
}

/** The case with the vote of the person, who may decide, and whose vote is not the last. */
export function keepVote(people: FlowPeople, deciding: Deciding): FlowContext {
  const { context, state, type, isForward } = deciding
  const capacity = findCapacity(people, deciding)
  if (capacity === null) return context
  const { addition, person } = capacity
  const vote: FlowVote = {
    by: person.id,
    terms: person.terms,
    ...(person.for !== undefined && { for: person.for }),
    ...(addition !== null && { isAdded: true as const }),
  }
  const isAgreed = isForward && addition === null && completesPeople(people, deciding, person)
  return {
    ...context,
    votes: { ...context.votes, [type]: [...(context.votes[type] ?? []), vote] },
    ...(addition !== null && {
      added: (context.added ?? []).map((each) =>
        each === addition ? { ...each, votedBy: person.id } : each,
      ),
    }),
    ...(isAgreed && { agreed: { ...context.agreed, [state]: type } }),
  }
}

/** A state that is entered again asks everybody again: its votes, hand-overs and additions are gone. */
export function forgetState(context: FlowContext, state: string): FlowContext {
  const votes = Object.fromEntries(
    Object.entries(context.votes).filter(([type]) => !type.startsWith(`${state}:`)),
  )
  const { handed, added, agreed, ...kept } = context
  const others = <T extends { readonly state: string }>(list: readonly T[] | undefined) =>
    (list ?? []).filter((each) => each.state !== state)
  const agreements = Object.entries(agreed ?? {}).filter(([path]) => path !== state)
  return {
    ...kept,
    votes,
    ...(others(handed).length > 0 && { handed: others(handed) }),
    ...(others(added).length > 0 && { added: others(added) }),
    ...(agreements.length > 0 && { agreed: Object.fromEntries(agreements) }),
  }
}

export interface Deciding {
  readonly context: FlowContext
  readonly person: FlowPerson
  /** Path of the state of the event. */
  readonly state: string
  /** Type of the machine's event. */
  readonly type: string
  readonly votes: readonly FlowVote[]
  /** Whether the event leads on: those who were added must agree to it. */
  readonly isForward: boolean
}

/** The terms that have a person of their own among those who decided: a maximum matching. */
function countMatched(
  { terms }: FlowPeople,
  votes: readonly FlowVote[],
  more: FlowPerson | null,
  applicant: string | null,
): number {
  const people = [
    ...votes
      .filter(({ isAdded: added }) => added !== true)
      .map(({ by, terms: met }): FlowPerson => ({ id: by, terms: met })),
    ...(more === null ? [] : [more]),
  ]
  const taken = new Map<number, number>()
  const place = (person: number, tried: Set<number>): boolean =>
    terms.some((term, i) => {
      const each = people[person]
      if (each === undefined || tried.has(i) || !meetsTerm(term, each, applicant)) return false
      tried.add(i)
      const holder = taken.get(i)
      if (holder !== undefined && !place(holder, tried)) return false
      taken.set(i, person)
      return true
    })
  return people.filter((_person, i) => place(i, new Set())).length
}

/** The terms that still lack a decision of their own. */
export function listOpenTerms(
  people: FlowPeople,
  votes: readonly FlowVote[],
  applicant: string | null,
): readonly FlowTerm[] {
  if (people.need !== 'all') return people.terms
  const before = countMatched(people, votes, null, applicant)
  return people.terms.filter((term) => {
    const probe = { id: '\u0000', terms: [buildTermKey(term)] }
    return countMatched(people, votes, probe, 'applicant' in term ? probe.id : applicant) > before
  })
}
