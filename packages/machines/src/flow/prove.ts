// Proves a flow before it is saved: no dead end, no decision on one's own case, no office is skipped, and every
// effect has a decision before it. A fault comes with the shortest path that shows it (docs/rules/contract.md#flows).
import { durationPattern, type Flow } from '@jiaowu/api/entity/definition/flow'
import type { Pair } from '@jiaowu/api/texts/group'
import { checkParts, type FlowFacts } from './check-parts.ts'
import {
  applicantId,
  buildPeople,
  exploreFlow,
  isEarlier,
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  listOutward,
  listSteps,
} from './explore.ts'
import { type FlowFault, type FlowFaultId, joinPathWords } from './fault.ts'
import {
  type CompiledFlow,
  compileFlow,
  listActive,
  listOffers,
  listTimers,
  readStateKey,
} from './flow.ts'
import { meetsWhen } from './machine.ts'
import {
  type EventPart,
  listAncestors,
  listConditions,
  listParts,
  formatDefinitionPlace,
  isDecision,
  isRefusedEnd,
} from './parts.ts'
import { applicantKey, buildTermKey, type FlowPerson } from './people.ts'
import { sampleRows } from './samples.ts'
import { describeEffect, describeSteps, nameEvent, nameState } from './words.ts'

export type { FlowFacts, FlowField } from './check-parts.ts'
export type { FlowFault } from './fault.ts'

export const unknownFacts: FlowFacts = {
  fields: null,
  fieldsOf: null,
  holders: null,
  ownerOf: null,
  templates: null,
  hasCalendar: null,
}
const mostNodes = 800

interface Proof {
  readonly flow: CompiledFlow
  readonly facts: FlowFacts
  readonly graphs: readonly FlowGraph[]
  /** Everybody's terms, as one person in all roles meets them. */
  readonly allTerms: readonly string[]
  readonly report: (
    id: FlowFaultId,
    where: { readonly state: string; readonly event?: string },
    steps: readonly FlowNode[],
    more?: { readonly name?: string; readonly severity?: 'warning'; readonly after?: Pair },
  ) => void
}

/** Every finding about the flow, errors first. `most` bounds the situations of all walks together. */
export function proveFlow(
  flow: Flow,
  facts: FlowFacts = unknownFacts,
  most: number = mostNodes,
): readonly FlowFault[] {
  const parts = listParts(flow)
  const faults = checkParts(parts, facts)
  if (faults.length > 0) return faults
  const compiled = compileFlow(flow)
  const found = new Map<string, FlowFault>()
  const report: Proof['report'] = (id, { state, event = '' }, steps, more = {}) => {
    const at = formatDefinitionPlace(state, event)
    const path = describeSteps(steps)
    const words = joinPathWords(path)
    const { after } = more
    const fault: FlowFault = {
      id,
      severity: more.severity ?? 'error',
      at,
      path,
      states: [
        ...new Set([
          ...steps.flatMap(({ flowCase }) => listActive(flowCase)),
          ...(state === '' ? [] : [state]),
        ]),
      ],
      params: {
        state: nameState(compiled, state),
        event: nameEvent(compiled, state, event),
        name: more.name ?? '',
        path:
          after === undefined ? words : [`${words[0]} → ${after[0]}`, `${words[1]} → ${after[1]}`],
      },
    }
    const known = found.get(`${id} ${at} ${fault.severity}`)
    // The shortest path tells most.
    if (known === undefined || known.path.length > path.length)
      found.set(`${id} ${at} ${fault.severity}`, fault)
  }
  const conditions = listConditions(compiled.parts)
  const samples = sampleRows(conditions, (name) => facts.fields?.get(name)?.items ?? null)
  for (const { event, path, key } of compiled.parts.events)
    if (event?.when !== undefined && samples.never.includes(event.when))
      report('flow.fault.whenNever', { state: path, event: key }, [], { name: event.when })
  const people = buildPeople(compiled, () => Infinity)
  const budget = { left: most }
  // Each kind of row has its share, and what those before it have left.
  const graphs = samples.rows.map((row, i) => {
    const share = { left: Math.ceil(budget.left / (samples.rows.length - i)) }
    const given = share.left
    const graph = exploreFlow(compiled, people, row, share)
    budget.left -= given - share.left
    return graph
  })
  const proof: Proof = {
    flow: compiled,
    facts,
    graphs,
    allTerms: [...new Set(people.flatMap(({ terms }) => terms))],
    report,
  }
  if (samples.isBounded || graphs.some(({ isBounded }) => isBounded))
    report('flow.fault.bounded', { state: '' }, [], {
      name: String(graphs.reduce((sum, { nodes }) => sum + nodes.length, 0)),
      severity: 'warning',
    })
  proveCalendar(proof)
  proveGraphs(proof)
  proveStaff(proof, people, most)
  const all = [...found.values()]
  return [
    ...all.filter((each) => each.severity === 'error'),
    ...all.filter((each) => each.severity === 'warning'),
  ]
}

/** Working days are counted by a calendar in which the school has entered nothing. */
function proveCalendar({ flow, facts, report }: Proof): void {
  const timer = flow.parts.events.find(
    ({ event, key }) => event === null && key.endsWith('workdays'),
  )
  if (timer !== undefined && facts.hasCalendar === false)
    report('flow.fault.calendar', { state: timer.path, event: timer.key }, [], {
      severity: 'warning',
    })
}

function proveGraphs(proof: Proof): void {
  proveReach(proof)
  proveRegions(proof)
  for (const graph of proof.graphs) {
    proveEnds(proof, graph)
    proveDeciders(proof, graph)
    proveEffects(proof, graph)
    proveTimers(proof, graph)
  }
  proveDuration(proof)
  proveReasons(proof)
}

/** States without a way to them, and events that no person may ever send. */
function proveReach({ flow: { parts }, graphs, report }: Proof): void {
  if (graphs.some(({ isBounded }) => isBounded)) return
  const reached = new Set(
    graphs.flatMap(({ nodes }) => nodes.flatMap(({ flowCase }) => listActive(flowCase))),
  )
  // An end within a state that goes on at once is never rested in.
  for (const { edges } of graphs)
    for (const { part } of edges)
      if (part.target !== null)
        for (const path of [part.target, ...listAncestors(part.target)]) reached.add(path)
  for (const path of parts.states.keys()) {
    const outer = path.split('.').slice(0, -1).join('.')
    if (path !== '' && !reached.has(path) && (outer === '' || reached.has(outer)))
      report('flow.fault.unreachable', { state: path }, [])
  }
  const sent = new Set(graphs.flatMap(({ edges }) => edges.map(({ part }) => part.type)))
  for (const { type, path, key, event } of parts.events)
    if (event !== null && !sent.has(type) && (path === '' || reached.has(path)))
      report('flow.fault.eventNever', { state: path, event: key }, [])
}

/** States from which no end can be reached. */
function proveEnds({ report }: Proof, graph: FlowGraph): void {
  const { nodes, edges, isBounded } = graph
  if (isBounded) return
  const before = Map.groupBy(edges, ({ to }) => to)
  const ending = new Set(nodes.filter(({ flowCase }) => flowCase.isDone))
  for (const node of ending) for (const { from } of before.get(node) ?? []) ending.add(from)
  const [stuck] = nodes.filter((node) => !ending.has(node))
  if (stuck === undefined) return
  // A state that all of its cases are stuck in says more than the first case on the way.
  const left = listLeft(graph)
  const dead = nodes.find((node) => !ending.has(node) && !left.has(node))
  const shown = dead ?? stuck
  report('flow.fault.noEnd', { state: findInnermost(shown) }, listSteps(shown))
}

/** The situations that something leads out of. */
function listLeft({ edges }: FlowGraph): ReadonlySet<FlowNode> {
  return new Set(edges.filter(({ from, to }) => from !== to).map(({ from }) => from))
}

function findInnermost({ flowCase }: FlowNode): string {
  return listActive(flowCase).at(-1) ?? readStateKey(flowCase)
}

/** The applicant in every role, and each earlier decider in every role. */
function proveDeciders({ flow, allTerms, report }: Proof, graph: FlowGraph): void {
  const { nodes, row } = graph
  for (const node of nodes) {
    const { applicant, decided } = node.flowCase.context
    const offersOf = (id: string) => listOffers(flow, node.flowCase, { id, terms: allTerms }, row)
    for (const { part } of offersOf(applicant ?? '')) {
      const isTheirs =
        part.people?.terms.some((term) => buildTermKey(term) === applicantKey) === true
      if (!isTheirs && isDecision(part))
        report('flow.fault.selfDecision', { state: part.path, event: part.key }, [
          ...listSteps(node),
          buildStep(node, part, { id: applicantId, terms: allTerms }),
        ])
    }
    for (const { by, state } of decided)
      for (const { part } of offersOf(by)) {
        if (part.path === state || !isDecision(part) || isRefusal(flow, graph, part)) continue
        report('flow.fault.sameDecider', { state: part.path, event: part.key }, [
          ...listSteps(node),
          buildStep(node, part, { id: by, terms: allTerms }),
        ])
      }
  }
}

/** A step that was not taken in the walk, for a path. */
function buildStep(node: FlowNode, part: EventPart, by: FlowPerson): FlowNode {
  return { ...node, part, by, from: node }
}

/** Leads to an end in red or grey, or to an earlier step. */
function isRefusal(
  { parts }: CompiledFlow,
  { depths }: FlowGraph,
  { target, path }: EventPart,
): boolean {
  if (target === null) return false
  return isRefusedEnd(parts, target) || isEarlier(depths, target, path)
}

function proveEffects(proof: Proof, graph: FlowGraph): void {
  const { flow } = proof
  for (const edge of graph.edges) {
    const [effect] = listOutward(flow, edge)
    const key = readStateKey(edge.to.flowCase)
    const isGood = edge.to.flowCase.isDone && flow.parts.states.get(key)?.state?.tone === 'green'
    if (effect !== undefined) proveEffect(proof, graph, edge, describeEffect(effect), true)
    else if (isGood) proveEffect(proof, graph, edge, nameState(flow, key), false)
  }
}

/** An effect, or an end in green, has the decisions before it that it needs. */
function proveEffect(
  { flow, report }: Proof,
  { row }: FlowGraph,
  edge: FlowEdge,
  words: Pair,
  isEffect: boolean,
): void {
  const rules = flow.parts.flow.rules ?? []
  const { decided } = edge.to.flowCase.context
  const tell = (id: FlowFaultId, name = '') =>
    report(id, { state: edge.part.path, event: edge.part.key }, listEdgeSteps(edge), {
      name,
      after: words,
    })
  const isFew = (people: readonly (string | undefined)[]) =>
    decided.length > 0 && new Set(people).size < 2
  if (decided.length === 0) tell('flow.fault.noDecision')
  const [left] = edge.skipped
  if (left !== undefined) tell('flow.fault.skippedRegion', left)
  for (const region of listUndecided(flow, edge)) tell('flow.fault.skippedRegion', region)
  if (rules.includes('twoPersons') && isFew(decided.map(({ by }) => by)))
    tell('flow.fault.twoPersons')
  // The people of the walk are named by their term and a number.
  if (rules.includes('twoOffices') && isFew(decided.map(({ by }) => by.split('#')[0])))
    tell('flow.fault.twoOffices')
  for (const rule of isEffect ? rules : [])
    if (typeof rule === 'object' && 'noEffectWhen' in rule && meetsWhen(rule.noEffectWhen, row))
      tell('flow.fault.noEffectWhen', rule.noEffectWhen)
}

/** Regions of a parallel state that came to their end without a decision. */
function listUndecided({ parts }: CompiledFlow, { from, to, part }: FlowEdge): readonly string[] {
  const after = new Set(listActive(to.flowCase))
  return listActive(from.flowCase)
    .filter((path) => parts.states.get(path)?.isParallel === true && !after.has(path))
    .filter((path) => part.target?.startsWith(`${path}.`) === true)
    .flatMap((path) => (parts.states.get(path)?.children ?? []).map((child) => `${path}.${child}`))
    .filter(
      (region) =>
        !to.flowCase.context.decided.some(
          ({ state }) => state === region || state.startsWith(`${region}.`),
        ),
    )
}

/** Regions that begin at their end, so that no person is asked in them. */
function proveRegions({ flow: { parts }, report }: Proof): void {
  for (const { path, isParallel, children } of parts.states.values()) {
    if (!isParallel) continue
    for (const child of children) {
      const region = `${path}.${child}`
      const begin = parts.states.get(region)
      const first = begin?.state?.initial
      const isOver =
        begin?.isFinal === true ||
        (first !== undefined && parts.states.get(`${region}.${first}`)?.isFinal === true)
      if (isOver) report('flow.fault.skippedRegion', { state: region }, [], { name: region })
    }
  }
}

/** Timers that lead to each other without anybody acting. */
function proveTimers({ report }: Proof, { edges }: FlowGraph): void {
  const next = new Map<FlowNode, FlowEdge[]>()
  for (const edge of edges)
    if (edge.by === null) next.set(edge.from, [...(next.get(edge.from) ?? []), edge])
  for (const start of next.keys()) {
    const seen = new Set<FlowNode>()
    const queue = [start]
    for (const node of queue)
      for (const edge of next.get(node) ?? []) {
        if (edge.to === start) {
          report(
            'flow.fault.timerLoop',
            { state: edge.part.path, event: edge.part.key },
            listEdgeSteps(edge),
          )
          return
        }
        if (!seen.has(edge.to)) {
          seen.add(edge.to)
          queue.push(edge.to)
        }
      }
  }
}

/** States that the people of this school cannot leave, or that a person must leave whom the row may not name. */
function proveStaff(
  { flow, facts, graphs, report }: Proof,
  people: readonly FlowPerson[],
  most: number,
): void {
  const [graph] = graphs
  if (graph === undefined) return
  const { holders, fields } = facts
  const roleOf = (term: string) => /^role (.+?)(?: within row\..+)?$/.exec(term)?.[1]
  const fieldOf = (term: string) => /^person row\.(.+)$/.exec(term)?.[1]
  const without = (countOf: (term: string) => number, id: FlowFaultId) => {
    const some = buildPeople(flow, countOf)
    if (some.length === people.length) return
    const share = { left: most / 2 }
    for (const { row } of graphs) {
      const stuck = exploreFlow(flow, some, row, share)
      const left = listLeft(stuck)
      const node = stuck.nodes.find(
        (each) =>
          !each.flowCase.isDone && listTimers(flow, each.flowCase).length === 0 && !left.has(each),
      )
      if (node !== undefined)
        report(id, { state: findInnermost(node) }, listSteps(node), { severity: 'warning' })
    }
  }
  if (holders !== null)
    without((term) => {
      const role = roleOf(term)
      return role === undefined ? Infinity : (holders(role) ?? 0)
    }, 'flow.fault.nobody')
  if (fields !== null)
    without((term) => {
      const name = fieldOf(term)
      return name === undefined || fields.get(name)?.isRequired === true ? Infinity : 0
    }, 'flow.fault.absent')
}

/** The rule `endsWithin`: every state with decisions has a timer, and the longest way keeps the limit. */
function proveDuration({ flow, graphs, report }: Proof): void {
  const limit = (flow.parts.flow.rules ?? []).find(
    (rule) => typeof rule === 'object' && 'endsWithin' in rule,
  )
  if (typeof limit !== 'object' || !('endsWithin' in limit)) return
  const waiting = new Map<string, FlowNode>()
  for (const { nodes } of graphs)
    for (const node of nodes) {
      const key = readStateKey(node.flowCase)
      // Before submission the case waits for its applicant alone.
      if (!node.flowCase.isDone && key !== flow.parts.flow.initial && !waiting.has(key))
        waiting.set(key, node)
    }
  let days = 0
  for (const [key, node] of waiting) {
    const timers = flow.parts.events.filter(
      ({ event, path }) => event === null && (path === key || path.startsWith(`${key}.`)),
    )
    if (timers.length === 0)
      report('flow.fault.endsWithin', { state: key }, listSteps(node), {
        name: String(limit.endsWithin),
      })
    days += Math.max(0, ...timers.map(({ key: duration }) => toDays(duration)))
  }
  if (days > limit.endsWithin)
    report('flow.fault.endsWithin', { state: '' }, [], { name: String(limit.endsWithin) })
}

function toDays(duration: string): number {
  const [, count = '0', unit = ''] = durationPattern.exec(duration) ?? []
  return unit === 'h' ? Number(count) / 24 : Number(count)
}

/** The rule `reasons`: every refusal, except by the applicant, asks for a note. */
function proveReasons({ flow, graphs, report }: Proof): void {
  if (!(flow.parts.flow.rules ?? []).includes('reasons')) return
  for (const graph of graphs)
    for (const edge of graph.edges)
      if (
        edge.part.event !== null &&
        edge.part.event.note !== 'required' &&
        edge.by?.id !== applicantId &&
        isRefusal(flow, graph, edge.part)
      )
        report(
          'flow.fault.reasons',
          { state: edge.part.path, event: edge.part.key },
          listEdgeSteps(edge),
        )
}

function listEdgeSteps({ from, to, by, part }: FlowEdge): readonly FlowNode[] {
  return [...listSteps(from), { ...to, from, by, part }]
}
