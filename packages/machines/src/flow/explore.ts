// Walks a flow with people as data, breadth first, so that every path that is found is a shortest one.
import type { FlowEffect } from '@jiaowu/api/entity/definition/flow'
import {
  type CompiledFlow,
  decide,
  type FlowCase,
  listActive,
  listEditable,
  listOffers,
  listTimers,
  startCase,
} from './flow.ts'
import type { PerformParams } from './machine.ts'
import type { EventPart } from './parts.ts'
import { applicantKey, buildTermKey, type FlowPerson } from './people.ts'
import type { SampleRow } from './samples.ts'

export const applicantId = '@applicant'

export interface FlowNode {
  readonly key: string
  readonly flowCase: FlowCase
  readonly from: FlowNode | null
  /** The event that led here, and its sender: null for a timer. */
  readonly by: FlowPerson | null
  readonly part: EventPart | null
  /** Parallel states that were left before all their regions were through, and not entered since. */
  readonly skipped: readonly string[]
}
export interface FlowEdge {
  readonly from: FlowNode
  readonly to: FlowNode
  readonly by: FlowPerson | null
  readonly part: EventPart
  readonly performs: readonly PerformParams[]
  readonly skipped: readonly string[]
}
export interface FlowGraph {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly row: SampleRow
  readonly isBounded: boolean
  /** Steps on the shortest way to each state. */
  readonly depths: ReadonlyMap<string, number>
}

/** One person for each term, or as many as decide together or one after the other. */
export function buildPeople(
  { parts: { events } }: CompiledFlow,
  countOf: (term: string) => number,
): readonly FlowPerson[] {
  const asked = new Map<string, { states: Set<string>; most: number }>()
  for (const { people, path } of events)
    for (const term of people?.terms ?? []) {
      const key = buildTermKey(term)
      if (key === applicantKey || people === null) continue
      const known = asked.get(key) ?? { states: new Set<string>(), most: 1 }
      known.states.add(path)
      const together =
        people.need === 'all'
          ? people.terms.filter((each) => buildTermKey(each) === key).length
          : people.need === 'any'
            ? 1
            : people.need
      asked.set(key, { states: known.states, most: Math.max(known.most, together) })
    }
  return [...asked].flatMap(([term, { states, most }]) =>
    Array.from(
      { length: Math.min(countOf(term), Math.max(most, Math.min(states.size, mostOfOneTerm))) },
      (_none, i): FlowPerson => ({ id: `${term}#${String(i + 1)}`, terms: [term] }),
    ),
  )
}
const mostOfOneTerm = 6

/** Situations that walks may still look at. One object bounds all walks of a proof. */
export interface FlowBudget {
  left: number
}

/** The graph says where the budget has bounded it. */
export function exploreFlow(
  flow: CompiledFlow,
  people: readonly FlowPerson[],
  row: SampleRow,
  budget: FlowBudget,
): FlowGraph {
  const applicant: FlowPerson = { id: applicantId, terms: [] }
  const first = buildNode(startCase(flow, applicantId), null, null, null, [])
  const nodes = new Map([[first.key, first]])
  const edges: FlowEdge[] = []
  const depths = new Map<string, number>()
  let isBounded = false
  // The map grows while it is walked.
  for (const node of nodes.values()) {
    const taken = new Set<string>()
    for (const path of listActive(node.flowCase))
      if (!depths.has(path)) depths.set(path, listSteps(node).length)
    const take = (part: EventPart, by: FlowPerson | null) => {
      const step = decide(flow, node.flowCase, part, by, row)
      if (step === null) return
      const skipped = listSkipped(flow, node, part, depths)
      const next = buildNode(step.next, node, by, part, keepSkipped(skipped, step.next))
      if (!nodes.has(next.key)) {
        if (budget.left <= 0) {
          isBounded = true
          return
        }
        budget.left -= 1
      }
      const to = nodes.get(next.key) ?? next
      nodes.set(to.key, to)
      edges.push({ from: node, to, by, part, performs: step.performs, skipped })
    }
    for (const person of [applicant, ...people])
      for (const { part } of listOffers(flow, node.flowCase, person, row)) {
        // People of the same term are alike: the first who may is enough.
        const alike = `${part.type}[${part.no}] ${person.terms.join()}`
        if (taken.has(alike)) continue
        taken.add(alike)
        take(part, person)
      }
    for (const part of listTimers(flow, node.flowCase)) take(part, null)
  }
  return { nodes: [...nodes.values()], edges, row, isBounded, depths }
}

function buildNode(
  flowCase: FlowCase,
  from: FlowNode | null,
  by: FlowPerson | null,
  part: EventPart | null,
  skipped: readonly string[],
): FlowNode {
  const { context, value, isDone } = flowCase
  const decided = [...new Set(context.decided.map((each) => `${each.by} ${each.state}`))].toSorted()
  const votes = Object.entries(context.votes)
    .map(
      ([type, each]) =>
        `${type} ${each
          .map(({ by: voter }) => voter)
          .toSorted()
          .join()}`,
    )
    .toSorted()
  const key = JSON.stringify([value, isDone, decided, votes, skipped])
  return { key, flowCase, from, by, part, skipped }
}

/** The parallel states that the event leaves, whatever their regions have come to, and not to an earlier step. */
function listSkipped(
  { parts }: CompiledFlow,
  node: FlowNode,
  { target }: EventPart,
  depths: ReadonlyMap<string, number>,
): readonly string[] {
  if (target === null) return node.skipped
  const left = listActive(node.flowCase).filter(
    (path) =>
      parts.states.get(path)?.isParallel === true &&
      !target.startsWith(`${path}.`) &&
      !isEarlier(depths, target, path),
  )
  return [...new Set([...node.skipped, ...left])].toSorted()
}

export function isEarlier(depths: ReadonlyMap<string, number>, a: string, b: string): boolean {
  return (depths.get(a) ?? Infinity) < (depths.get(b) ?? Infinity)
}

function keepSkipped(skipped: readonly string[], next: FlowCase): readonly string[] {
  const active = new Set(listActive(next))
  return skipped.filter((path) => !active.has(path))
}

/** The steps that led to a node, first to last. */
export function listSteps(node: FlowNode): readonly FlowNode[] {
  return node.from === null ? [] : [...listSteps(node.from), node]
}

/**
 * Effects that reach beyond what the sender may change in the state anyway: other rows, documents, and fields
 * that the state does not open.
 */
export function listOutward(
  flow: CompiledFlow,
  { from, performs }: FlowEdge,
): readonly FlowEffect[] {
  const open = listEditable(flow, from.flowCase)
  return performs
    .flatMap(({ effects }) => effects)
    .filter((effect) =>
      'set' in effect
        ? Object.keys(effect.set).some((name) => !open.has(name))
        : !('notify' in effect || 'copy' in effect),
    )
}
