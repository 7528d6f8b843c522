import dagre from '@dagrejs/dagre'
import { escapeHtml } from '@jiaowu/api/escape-html'
import type { BookMachine, Sentence } from './path-book.ts'

type State = BookMachine['states'][number]

/** A state with its place; coordinates are those of the whole chart. */
interface Box {
  readonly state: State
  readonly width: number
  readonly height: number
  readonly children: readonly Box[]
  x: number
  y: number
}
interface Arrow {
  readonly from: string
  readonly to: string
  readonly ids: readonly string[]
  readonly names: readonly Sentence[]
}

/** Pixels. */
const [lineHeight, padding, title, gap] = [34, 14, 26, 26]

/** The machine as SVG: nested states, and an arrow for all transitions between two of them. */
export function drawChart(machine: BookMachine): string {
  const arrows = listArrows(machine)
  const boxes = layOut(machine, arrows, null)
  place(boxes, 8, 8)
  const all = flatten(boxes)
  const width = Math.max(...all.map(({ x, width: w }) => x + w)) + 40
  const height = Math.max(...all.map(({ y, height: h }) => y + h)) + 12
  const byId = new Map(all.map((box) => [box.state.id, box]))
  const lines = arrows.flatMap((arrow) => {
    const [from, to] = [byId.get(arrow.from), byId.get(arrow.to)]
    return from === undefined || to === undefined ? [] : [drawArrow(machine, arrow, from, to)]
  })
  // Arrows pass behind the innermost states, so that their names stay readable.
  const draw = (isOpen: boolean) =>
    all
      .filter(({ children }) => children.length > 0 === isOpen)
      .map((box) => drawBox(machine, box))
      .join('')
  return `<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group"><defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z"/></marker></defs>${draw(true)}${lines.join('')}${draw(false)}</svg>`
}

/** Transitions that stay in their state are listed with it, not drawn. */
function listArrows({ transitions }: BookMachine): readonly Arrow[] {
  const pairs = transitions.flatMap(({ id, from, to, name }) =>
    to
      .filter((each) => each !== from)
      .map((each) => ({ key: `${from} ${each}`, from, to: each, id, name })),
  )
  return [...Map.groupBy(pairs, ({ key }) => key).values()].flatMap((some) => {
    const [first] = some
    return first === undefined
      ? []
      : [
          {
            from: first.from,
            to: first.to,
            ids: some.map(({ id }) => id),
            names: [...new Map(some.map(({ name }) => [name.zh, name])).values()],
          },
        ]
  })
}

/** Places the children of a state beside each other, relative to their first corner. */
function layOut(machine: BookMachine, arrows: readonly Arrow[], parent: string | null): Box[] {
  const boxes = machine.states
    .filter((state) => state.parent === parent)
    .map((state): Box => {
      const children = layOut(machine, arrows, state.id)
      const inner = measure(children)
      const width = Math.max(
        measureText(state.name) + 24,
        children.length === 0 ? 0 : inner.width + padding * 2,
      )
      return {
        state,
        children,
        width,
        height: children.length === 0 ? lineHeight : inner.height + title + padding,
        x: 0,
        y: 0,
      }
    })
  if (boxes.some(({ state }) => state.type === 'region')) stack(boxes)
  else arrange(machine, arrows, boxes)
  return boxes
}

/** Regions run side by side in time: one below the other. */
function stack(boxes: readonly Box[]): void {
  let y = 0
  for (const box of boxes) {
    box.y = y
    y += box.height + 12
  }
}

/**
 * Columns by the distance from the first state. Only the arrow by which a state is first reached decides about its
 * place: with all of them large charts become wide and empty.
 */
function arrange(machine: BookMachine, arrows: readonly Arrow[], boxes: readonly Box[]): void {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: gap * 1.7, marginx: 0, marginy: 0 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { state, width, height } of boxes) graph.setNode(state.id, { width, height })
  for (const [from, to] of listFirstWays(boxes, liftArrows(machine, arrows, boxes)))
    graph.setEdge(from, to)
  dagre.layout(graph)
  for (const box of boxes) {
    const { x, y } = graph.node(box.state.id) as { readonly x: number; readonly y: number }
    box.x = x - box.width / 2
    box.y = y - box.height / 2
  }
}

type Way = readonly [from: string, to: string]

/** The arrows between the boxes of one level, wherever inside them they begin and end. */
function liftArrows(
  machine: BookMachine,
  arrows: readonly Arrow[],
  boxes: readonly Box[],
): readonly Way[] {
  const level = new Set(boxes.map(({ state }) => state.id))
  const parents = new Map(machine.states.map(({ id, parent }) => [id, parent]))
  const lift = (id: string): string | null => {
    let at: string | null = id
    while (at !== null && !level.has(at)) at = parents.get(at) ?? null
    return at
  }
  return arrows.flatMap(({ from, to }): Way[] => {
    const [source, target] = [lift(from), lift(to)]
    return source === null || target === null || source === target ? [] : [[source, target]]
  })
}

/** The way by which each box is first reached, from the initial one on. */
function listFirstWays(boxes: readonly Box[], ways: readonly Way[]): readonly Way[] {
  const first = boxes.find(({ state }) => state.initial) ?? boxes[0]
  const reached = new Set(first === undefined ? [] : [first.state.id])
  const found: Way[] = []
  for (const at of reached)
    for (const way of ways)
      if (way[0] === at && !reached.has(way[1])) {
        reached.add(way[1])
        found.push(way)
      }
  return found
}

function place(boxes: readonly Box[], left: number, top: number): void {
  for (const box of boxes) {
    box.x += left
    box.y += top
    place(box.children, box.x + padding, box.y + title)
  }
}

function measure(boxes: readonly Box[]): { readonly width: number; readonly height: number } {
  return {
    width: Math.max(0, ...boxes.map(({ x, width }) => x + width)),
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)),
  }
}

function measureText({ zh, en }: Sentence): number {
  const width = (text: string) =>
    [...text].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) > 0x2e7f ? 13.5 : 7), 0)
  return Math.max(width(zh), width(en))
}

function flatten(boxes: readonly Box[]): Box[] {
  return boxes.flatMap((box) => [box, ...flatten(box.children)])
}

/** A text in both languages; the page shows one of them. */
export function bothLanguages({ zh, en }: Sentence): string {
  return `<span class="zh" lang="zh-CN">${escapeHtml(zh)}</span><span class="en" lang="en">${escapeHtml(en)}</span>`
}

function drawText({ zh, en }: Sentence, x: number, y: number): string {
  const line = (lang: string, text: string) =>
    `<text class="${lang}" x="${x}" y="${y}">${escapeHtml(text)}</text>`
  return line('zh', zh) + line('en', en)
}

function drawBox({ states }: BookMachine, { state, x, y, width, height, children }: Box): string {
  const no = states.indexOf(state)
  const isOpen = children.length > 0
  const kind = [
    'state',
    ...(isOpen ? ['open'] : []),
    ...(state.initial && state.type !== 'region' ? ['initial'] : []),
    ...(state.type === 'final' ? ['final'] : []),
    ...(state.type === 'region' ? ['region'] : []),
  ].join(' ')
  return `<g class="${kind}" data-state="${no}" tabindex="0" role="button"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>${drawText(state.name, x + 12, y + (isOpen ? 18 : 22))}</g>`
}

function drawArrow(machine: BookMachine, arrow: Arrow, from: Box, to: Box): string {
  const ids = arrow.ids.map((id) => machine.transitions.findIndex((each) => each.id === id))
  const names = (lang: keyof Sentence) => arrow.names.map((name) => name[lang]).join(' / ')
  const line = routeArrow(from, to)
  return `<g class="arrow" data-taken="${ids.join(' ')}" tabindex="0" role="button" aria-label="${escapeHtml(names('zh'))}"><title>${escapeHtml(`${names('zh')}\n${names('en')}`)}</title><path class="hit" d="${line}"/><path class="line" d="${line}" marker-end="url(#tip)"/></g>`
}

/** A curve between the borders of two boxes; from and to a state around the other it begins at its title. */
function routeArrow(from: Box, to: Box): string {
  const start = contains(from, to) ? corner(from) : null
  const end = contains(to, from) ? corner(to) : null
  const [a, b] = [start ?? center(from), end ?? center(to)]
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = Math.hypot(dx, dy) || 1
  const bend = Math.min(28, length / 6)
  const middle = {
    x: (a.x + b.x) / 2 - (dy / length) * bend,
    y: (a.y + b.y) / 2 + (dx / length) * bend,
  }
  const p = start ?? clip(from, [middle, b])
  const q = end ?? clip(to, [middle, a])
  return `M${round(p.x)} ${round(p.y)}Q${round(middle.x)} ${round(middle.y)} ${round(q.x)} ${round(q.y)}`
}

interface Point {
  readonly x: number
  readonly y: number
}

const round = (number: number) => Math.round(number * 10) / 10

function contains(outer: Box, inner: Box): boolean {
  return outer.children.some((child) => child === inner || contains(child, inner))
}

function corner({ x, y, width }: Box): Point {
  return { x: x + width - 10, y: y + title / 2 }
}

function center({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 }
}

/**
 * The point of a box's border on the line from its middle to the first of these points that is outside; its corner
 * where all are inside.
 */
function clip(box: Box, points: readonly Point[]): Point {
  const middle = center(box)
  for (const { x, y } of points) {
    const [dx, dy] = [x - middle.x, y - middle.y]
    const scale = Math.min(
      dx === 0 ? Infinity : box.width / 2 / Math.abs(dx),
      dy === 0 ? Infinity : box.height / 2 / Math.abs(dy),
    )
    if (scale < 1) return { x: middle.x + dx * scale, y: middle.y + dy * scale }
  }
  return corner(box)
}
