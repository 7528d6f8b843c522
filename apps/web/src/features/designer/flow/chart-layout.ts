// Places of states in the chart of a flow, and the lines of its events.
import dagre from '@dagrejs/dagre'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { findState, listEvents, listStatePaths } from '@jiaowu/machines/designer/flow/states'
import type { EventPlace } from '@jiaowu/machines/designer/flow/changes'
import { isRefusedEnd, listParts } from '@jiaowu/machines/flow/parts'

/** The node of the events that hold in every state. */
export const everywhereId = '*'
const stateSize = { width: 172, height: 52 }
/** Room around the states within another, and for its name above them. */
const padding = { side: 16, top: 44 }
const gap = { rank: 64, node: 48 }

/** A state by its path; `x` and `y` count from the corner of the state around it. */
export interface ChartNode {
  readonly id: string
  readonly parent: string | null
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
/** All events from one state to another. */
export interface ChartLine {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly events: readonly EventPlace[]
  /** So many states back in the order of the flow; 0 for a way forward. */
  readonly back: number
}

/** Lines between states; events that stay where they are have none. */
export function listLines(flow: Flow): readonly ChartLine[] {
  const { events, done } = listParts(flow)
  const places = new Map(listStatePaths(flow).map((path, i) => [path, i]))
  const lines = new Map<string, ChartLine>()
  const add = (from: string, to: string | null, place: EventPlace | null) => {
    if (to === null || from === to) return
    const id = `${from} → ${to}`
    const back = Math.max(0, (places.get(from) ?? -1) - (places.get(to) ?? 0))
    const known = lines.get(id) ?? { id, from, to, events: [], back }
    lines.set(id, { ...known, events: place === null ? known.events : [...known.events, place] })
  }
  const targets = new Map(
    events.map(({ path, key, no, target }) => [`${path}:${key}:${String(no)}`, target]),
  )
  for (const path of ['', ...listStatePaths(flow)])
    for (const { key, alternatives } of listEvents(flow, path))
      for (const no of alternatives.keys())
        add(
          path === '' ? everywhereId : path,
          targets.get(`${path}:${key}:${String(no)}`) ?? null,
          { path, key, no },
        )
  for (const { path, event, target } of events) if (event === null) add(path, target, null)
  for (const [path, { target }] of done) add(path, target, null)
  return [...lines.values()]
}

/** Lays out the states from top to bottom; those that were moved by hand keep their place. */
export function layoutFlow(flow: Flow, lines: readonly ChartLine[]): readonly ChartNode[] {
  const top = Object.keys(flow.states)
  return layoutWithin(flow, null, flow.on === undefined ? top : [...top, everywhereId], lines).nodes
}

function layoutWithin(
  flow: Flow,
  parent: string | null,
  ids: readonly string[],
  lines: readonly ChartLine[],
): { readonly nodes: readonly ChartNode[]; readonly width: number; readonly height: number } {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'TB', ranksep: gap.rank, nodesep: gap.node })
  graph.setDefaultEdgeLabel(() => ({}))
  const inner: ChartNode[] = []
  for (const id of sortByFlow(flow, ids)) {
    const children = Object.keys(findState(flow, id)?.states ?? {}).map((key) => `${id}.${key}`)
    const size =
      children.length === 0 ? { nodes: [], ...stateSize } : layoutWithin(flow, id, children, lines)
    inner.push(...size.nodes)
    graph.setNode(id, { width: size.width, height: size.height })
  }
  // Ways back would bend the way forward.
  for (const { from, to, back } of lines) {
    const [a, b] = [findWithin(ids, from), findWithin(ids, to)]
    if (a === undefined || b === undefined || a === b || back > 0) continue
    graph.setEdge(a, b, { weight: isRefusedEnd(listParts(flow), to) ? 1 : 4 })
  }
  dagre.layout(graph)
  const offset = parent === null ? { x: 0, y: 0 } : { x: padding.side, y: padding.top }
  const own = ids.map((id): ChartNode => {
    const { x, y, width, height } = graph.node(id)
    const at = id === everywhereId ? undefined : findState(flow, id)?.at
    return {
      id,
      parent,
      x: at?.x ?? Math.round(x - width / 2 + offset.x),
      y: at?.y ?? Math.round(y - height / 2 + offset.y),
      width,
      height,
    }
  })
  return {
    // Parents come before the states within them.
    nodes: [...own, ...inner],
    width: Math.max(stateSize.width, ...own.map(({ x, width }) => x + width + padding.side)),
    height: Math.max(stateSize.height, ...own.map(({ y, height }) => y + height + padding.side)),
  }
}

function sortByFlow(flow: Flow, ids: readonly string[]): readonly string[] {
  const places = new Map(listStatePaths(flow).map((path, i) => [path, i]))
  return ids.toSorted((a, b) => (places.get(a) ?? -1) - (places.get(b) ?? -1))
}

/** Whichever of the states is, or lies around, the one at the path. */
function findWithin(ids: readonly string[], path: string): string | undefined {
  return ids.find((id) => path === id || path.startsWith(`${id}.`))
}
