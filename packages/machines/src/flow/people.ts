// People of a flow as data, and whether their decisions are enough (docs/rules/contract.md#flows).
import type { FlowTerm, FlowWho } from '@jiaowu/api/entity/definition/flow'

/** A person as a flow sees them: an id, and the terms of the flow that they meet for the row. */
export interface FlowPerson {
  readonly id: string
  /** Keys of terms (`buildTermKey`), without that of the applicant, whom the case names. */
  readonly terms: readonly string[]
}

/** A decision in a case. `state` is the path of the state of the event. */
interface FlowDecision {
  readonly by: string
  readonly state: string
}
interface FlowVote {
  readonly by: string
  readonly terms: readonly string[]
}

/** Facts of a case, kept as they are; a machine's snapshot is not (its format may change). */
export interface FlowContext {
  readonly applicant: string | null
  /** Without those of the applicant. */
  readonly decided: readonly FlowDecision[]
  /** By event, where several people decide together. */
  readonly votes: Readonly<Record<string, readonly FlowVote[]>>
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

/** Whether the person is one of those whom the event asks at all. */
export function isAsked(
  { terms }: FlowPeople,
  person: FlowPerson,
  { applicant }: Pick<FlowContext, 'applicant'>,
): boolean {
  return terms.some((term) => meetsTerm(term, person, applicant))
}

/** Whether the person may decide now, apart from `when`. */
export function mayDecide(
  people: FlowPeople,
  { context, person, state, votes }: Deciding,
): boolean {
  const { applicant } = context
  if (isBarred(people, { context, person, state, votes })) return false
  if (!isAsked(people, person, context)) return false
  return (
    people.need !== 'all' ||
    countMatched(people, votes, person, applicant) > countMatched(people, votes, null, applicant)
  )
}

/** Whether the case itself excludes the person: by `others`, or because their vote is in. */
export function isBarred(
  { others, need }: FlowPeople,
  {
    context: { applicant, decided },
    person: { id },
    state,
    votes,
  }: Pick<Deciding, 'context' | 'state' | 'votes'> & { readonly person: Pick<FlowPerson, 'id'> },
): boolean {
  const isOther =
    id !== applicant && !decided.some((each) => each.by === id && each.state !== state)
  return (others && !isOther) || (need !== 'any' && votes.some(({ by }) => by === id))
}

/** Whether the decision of the person, who may decide, is the last one that the event needs. */
export function completesDecision(
  people: FlowPeople,
  { context, person, votes }: Deciding,
): boolean {
  return people.need === 'any'
    ? true
    : people.need === 'all'
      ? countMatched(people, votes, person, context.applicant) === people.terms.length
      : votes.length + 1 >= people.need
}

interface Deciding {
  readonly context: FlowContext
  readonly person: FlowPerson
  /** Path of the state of the event. */
  readonly state: string
  readonly votes: readonly FlowVote[]
}

/** The terms that have a person of their own among those who decided: a maximum matching. */
function countMatched(
  { terms }: FlowPeople,
  votes: readonly FlowVote[],
  more: FlowPerson | null,
  applicant: string | null,
): number {
  const people = [
    ...votes.map(({ by, terms: met }): FlowPerson => ({ id: by, terms: met })),
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
