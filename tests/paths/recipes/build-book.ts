import type { Locale } from '@jiaowu/api/locale'
import {
  coverClasses,
  declaredTransitions,
  type Edge,
  type Graph,
  type Left,
  type Node,
  type Path,
  pendingCalls,
  shortEvent,
  stepId,
} from '@jiaowu/path-tests'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import type {
  BookMachine,
  BookPath,
  BookScreen,
  BookStep,
  Sentence,
} from '../../../apps/cli/src/machine-report/path-book.ts'
import { type MachineName, models } from '../../machines/registry.ts'
import { explore } from '../../machines/spec.ts'
import { partsOn } from '../../surfaces/registry.ts'
import type { SurfacePart } from '../../surfaces/parts.ts'
import { fillWords, findEvent, sayStep, sayTransition, translateSeen } from './say.ts'
import { words as allWords } from './words/index.ts'
import type { MachineWords } from './words/machine-words.ts'

/** Longer recipes are not followed to their end by a person. */
const mostSteps = 20

/**
 * A machine with recipes for people: each way that it can be taken on the page, with each sample and
 * each answer, once. A machine without a page of its own is taken as it is.
 */
export async function buildBookMachine(name: MachineName): Promise<BookMachine> {
  const words = allWords[name]
  const page = await partsOn(name, 'web')
  const parts = page ?? (await partsOn(name, 'bare')) ?? {}
  const [first] = Object.values(parts)
  if (first === undefined) throw new Error(`${name} has no model`)
  const { machine } = first.spec
  const paths = Object.entries(parts).flatMap(([part, found]) => {
    const graph = explore(found.spec, models[name].limit ?? 600)
    const covered = coverClasses(graph, classifyEdge, { maxSteps: mostSteps })
    const surface = page === null ? ('bare' as const) : ('web' as const)
    return covered.paths.map((path) =>
      buildBookPath({ words, part, found, graph, surface, name }, path),
    )
  })
  return {
    id: name,
    name: fillWords(words.name),
    place: fillWords(words.place),
    states: listStates(machine, words),
    transitions: listTransitions(machine, words),
    paths: withDistinctIds(paths),
  }
}

function classifyEdge({ step, taken }: Edge): string {
  return `${stepId(step)} ${taken.join(' + ')}`
}

interface PathSource {
  readonly words: MachineWords
  readonly name: MachineName
  readonly part: string
  readonly found: SurfacePart
  readonly graph: Graph
  readonly surface: BookPath['surface']
}

function buildBookPath(source: PathSource, path: Path): BookPath {
  const { words, name, part, graph, surface } = source
  const start = graph.starts.find((each) => each.name === path.start)
  const edges = path.edges.flatMap((index) => graph.edges[index] ?? [])
  const said = edges.map(({ step }) => sayStep(words, step))
  const prepared = said.map(({ arrange }, index) => ({
    before: arrange === null ? null : findCaller(edges, index),
    arrange,
  }))
  const listPrepared = (at: number) =>
    distinct(
      prepared.flatMap(({ before, arrange }) =>
        before === at && arrange !== null ? [arrange] : [],
      ),
    )
  const steps = edges.map((edge, index): BookStep => ({
    kind: edge.step.kind === 'settle' ? 'answer' : edge.step.kind === 'time' ? 'time' : 'person',
    do: said[index]?.do ?? { zh: '', en: '' },
    prepare: listPrepared(index),
    hurry: edge.step.kind === 'user' && isWaiting(graph.nodes[edge.from]),
    ...readScreen(source, graph.nodes[edge.to], edge.taken),
  }))
  return {
    id: `${name}-${path.id.replace(/^\w+-/, '')}`,
    part,
    surface,
    start: fillWords(words.starts?.[path.start] ?? words.place),
    prepare: listPrepared(-1),
    begin: readScreen(source, graph.nodes[start?.node ?? -1], start?.move.taken ?? []),
    steps,
    again: [`start:${path.start}`, ...path.steps.map(({ step }) => stepId(step))].join(' | '),
  }
}

/** The step that made the call which ends at a step; -1 for the start of the path. */
function findCaller(edges: readonly Edge[], at: number): number {
  const step = edges[at]?.step
  if (step?.kind !== 'settle') return at
  return edges
    .slice(0, at)
    .findLastIndex(({ effects }) => effects.some((each) => each.startsWith(`call ${step.call}`)))
}

function isWaiting(node: Node | undefined): boolean {
  return node !== undefined && pendingCalls(node.at).length > 0
}

function distinct(sentences: readonly Sentence[]): Sentence[] {
  return [...new Map(sentences.map((each) => [each.zh, each])).values()]
}

const screens = new WeakMap<Node, Omit<BookScreen, 'taken'>>()

function readScreen(
  source: PathSource,
  node: Node | undefined,
  taken: readonly string[],
): BookScreen {
  if (node === undefined) throw new Error(`${source.name}: a path leaves its graph`)
  const known = screens.get(node) ?? readNode(source, node)
  screens.set(node, known)
  return { ...known, taken: [...taken] }
}

function readNode({ words, found, graph }: PathSource, node: Node): Omit<BookScreen, 'taken'> {
  const offered = graph.edges.filter(
    ({ from, step }) => from === node.index && step.kind === 'user' && !step.inert,
  )
  const types = [...new Set(offered.map(({ step }) => step.event.type))]
  const { snapshot } = node
  const nodes = (snapshot as { readonly _nodes: readonly AnyStateNode[] })._nodes
  return {
    see: distinct([...listSeen(found, node), ...listFaults(found, node)]),
    can: types.map((type) => {
      const samples = offered.flatMap(({ step }) =>
        step.kind === 'user' && step.event.type === type ? [step] : [],
      )
      const [only] = samples
      return samples.length === 1 && only !== undefined
        ? fillWords(findEvent(words, type, only.sample), only.event)
        : fillWords(findEvent(words, type, null))
    }),
    states: nodes.filter(({ parent }) => parent !== undefined).map(({ id }) => id),
  }
}

/** Seconds that pass are written as dots: a person sees whatever is left. */
function listSeen({ listSays }: SurfacePart, { snapshot, at }: Node): Sentence[] {
  if (listSays === undefined) return []
  const left: Left = (id) => (at.timers.some((each) => each.id === id) ? Number.NaN : null)
  const read = (locale: Locale) =>
    listSays(snapshot, left, locale).map((text) => text.replaceAll('NaN', '…'))
  const english = read('en')
  const pairs = read('zh-CN').map((zh, at) => ({ zh, en: english[at] ?? zh }))
  return pairs
}

/** The page's words about faults, as far as the product has the sentence; the server's own is named as such. */
function listFaults({ spec, listSays }: SurfacePart, { snapshot }: Node): Sentence[] {
  if (listSays === undefined) return []
  const seen = spec.project(snapshot, () => null) as Readonly<Record<string, unknown>>
  return Object.entries(seen).flatMap(([reading, text]) =>
    /fault|problem|refus|error|hint/i.test(reading) && typeof text === 'string' && text !== ''
      ? translateSeen(text)
      : [],
  )
}

function listNodes(node: AnyStateNode): AnyStateNode[] {
  return Object.values(node.states as Record<string, AnyStateNode>).flatMap((child) => [
    child,
    ...listNodes(child),
  ])
}

function listStates(machine: AnyStateMachine, words: MachineWords): BookMachine['states'] {
  const root = machine.root as AnyStateNode
  return listNodes(root).map((node) => {
    const id = node.id.slice(root.id.length + 1)
    const name = words.states[id]
    if (name === undefined) throw new Error(`${words.name[1]}: no words for the state ${id}`)
    const parent = node.parent ?? root
    return {
      id: node.id,
      parent: parent === root ? null : parent.id,
      type: parent.type === 'parallel' ? 'region' : node.type,
      initial:
        parent.type === 'parallel' ||
        (parent.initial.target as readonly AnyStateNode[]).includes(node),
      name: fillWords(name),
    }
  })
}

function listTransitions(machine: AnyStateMachine, words: MachineWords) {
  return [...declaredTransitions(machine)].map(([transition, id]) => ({
    id,
    from: transition.source.id,
    to: ((transition.target ?? []) as readonly AnyStateNode[]).map((each) => each.id),
    name: sayTransition(
      words,
      transition.eventType === '' ? 'always' : shortEvent(transition.eventType),
    ),
  }))
}

/** Two concerns may have one path in common. */
function withDistinctIds(paths: readonly BookPath[]): BookPath[] {
  const counts = new Map<string, number>()
  return paths.map((path) => {
    const count = (counts.get(path.id) ?? 0) + 1
    counts.set(path.id, count)
    return count === 1 ? path : { ...path, id: `${path.id}-${count}` }
  })
}
