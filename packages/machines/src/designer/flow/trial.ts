// A case of a flow played by people of one's choice, with the compiled machine.
import type { Flow, FlowTerm } from '@jiaowu/api/entity/definition/flow'
import { applicantId, buildPeople } from '../../flow/explore.ts'
import {
  type CompiledFlow,
  compileFlow,
  decide,
  type FlowCase,
  type FlowOffer,
  listActive,
  listOffers,
  listTimers,
  startCase,
} from '../../flow/flow.ts'
import type { PerformParams } from '../../flow/machine.ts'
import { type EventPart, listConditions, listParts } from '../../flow/parts.ts'
import { applicantKey, buildTermKey, type FlowPerson } from '../../flow/people.ts'
import { type SampleRow, sampleRows } from '../../flow/samples.ts'

/** The people, the row that the conditions read, and what has been done, first to last. */
export interface Trial {
  /** The first is the applicant. */
  readonly people: readonly FlowPerson[]
  readonly row: SampleRow
  readonly moves: readonly TrialMove[]
}
/** `by` is null for a timer. */
interface TrialMove {
  readonly by: string | null
  readonly type: string
  readonly no: number
}
interface TrialStep {
  readonly by: string | null
  readonly part: EventPart
  readonly performs: readonly PerformParams[]
}
export interface TrialView {
  readonly steps: readonly TrialStep[]
  /** Paths of the states that the case is in, outermost first. */
  readonly active: readonly string[]
  readonly isDone: boolean
  /** In the order of the people. */
  readonly offers: readonly {
    readonly by: FlowPerson
    readonly offers: readonly FlowOffer[]
  }[]
  readonly timers: readonly EventPart[]
}

/** Whether the flow has a shape that can be played. */
export function isPlayable(flow: Flow): boolean {
  return listParts(flow).faults.length === 0
}

/** The applicant, and one person for each role and field that the flow asks, or as many as must differ. */
export function startTrial(flow: Flow): Trial {
  const [row = {}] = listTrialRows(flow)
  return {
    people: [{ id: applicantId, terms: [] }, ...buildPeople(compileFlow(flow), () => Infinity)],
    row,
    moves: [],
  }
}

/** Rows that tell the conditions of the flow apart. */
export function listTrialRows(flow: Flow): readonly SampleRow[] {
  return sampleRows(listConditions(listParts(flow)), () => null).rows
}

/** The people that the flow asks for, but the applicant, by the key of the term. */
export function listTrialTerms(flow: Flow): ReadonlyMap<string, FlowTerm> {
  return new Map(
    listParts(flow)
      .events.flatMap(({ people }) => people?.terms ?? [])
      .map((term) => [buildTermKey(term), term] as const)
      .filter(([key]) => key !== applicantKey),
  )
}

export function addTrialPerson(trial: Trial): Trial {
  const taken = new Set(trial.people.map(({ id }) => id))
  for (let n = trial.people.length; ; n += 1)
    if (!taken.has(`#${String(n)}`))
      return { ...trial, people: [...trial.people, { id: `#${String(n)}`, terms: [] }] }
}

/** Gives a person the role or field, or takes it; what was done before stands as it was. */
export function toggleTrialTerm(trial: Trial, id: string, term: string): Trial {
  return {
    ...trial,
    people: trial.people.map((person) =>
      person.id === id
        ? {
            ...person,
            terms: person.terms.includes(term)
              ? person.terms.filter((each) => each !== term)
              : [...person.terms, term],
          }
        : person,
    ),
  }
}

/** Plays the moves as far as the flow and the people allow them. */
export function playTrial(flow: Flow, { people, row, moves }: Trial): TrialView {
  const compiled = compileFlow(flow)
  const steps: TrialStep[] = []
  let flowCase = startCase(compiled, people[0]?.id ?? applicantId)
  for (const move of moves) {
    const by = people.find(({ id }) => id === move.by) ?? null
    const part = listOpenParts(compiled, flowCase, by, row).find(
      (each) => each.type === move.type && each.no === move.no,
    )
    const step = part === undefined ? null : decide(compiled, flowCase, part, by, row)
    if (part === undefined || step === null) break
    steps.push({ by: move.by, part, performs: step.performs })
    flowCase = step.next
  }
  return {
    steps,
    active: listActive(flowCase),
    isDone: flowCase.isDone,
    offers: people.map((by) => ({ by, offers: listOffers(compiled, flowCase, by, row) })),
    timers: listTimers(compiled, flowCase),
  }
}

function listOpenParts(
  compiled: CompiledFlow,
  flowCase: FlowCase,
  by: FlowPerson | null,
  row: SampleRow,
): readonly EventPart[] {
  return by === null
    ? listTimers(compiled, flowCase)
    : listOffers(compiled, flowCase, by, row).map(({ part }) => part)
}
