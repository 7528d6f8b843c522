import type { Situation } from './situation.ts'

export interface Shard {
  readonly id: number
  readonly port: number
  readonly rows: number
  /** It holds the largest school. */
  readonly hot: boolean
}

const width = 760
const colours = { first: '#2f6fb2', second: '#6aa84f', hot: '#c0392b', text: '#333333' }

/** Two charts: rows of each shard, and what the other schools wait in each situation. */
export function picture(shards: readonly Shard[], situations: readonly Situation[]): string {
  const parts = [...rowsChart(shards), ...waitChart(situations)]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 470" font-family="sans-serif" ` +
    `font-size="12" fill="${colours.text}">\n<rect width="${width}" height="470" fill="#ffffff"/>\n` +
    `${parts.join('\n')}\n</svg>\n`
  )
}

function rowsChart(shards: readonly Shard[]): string[] {
  const most = Math.max(...shards.map(({ rows }) => rows))
  const step = (width - 40) / shards.length
  const [firstPort] = shards.map(({ port }) => port)
  const bars = shards.map(({ rows, port, hot }, index) => {
    const height = (rows / most) * 150
    const colour = hot ? colours.hot : port === firstPort ? colours.first : colours.second
    return bar(20 + index * step, 190 - height, step - 3, height, colour)
  })
  return [
    label(
      20,
      20,
      `Students in each shard (highest: ${most}); red: the shard with the largest school`,
    ),
    ...bars,
    label(20, 208, 'blue: first node, green: second node'),
  ]
}

function waitChart(situations: readonly Situation[]): string[] {
  const most = Math.max(
    ...situations.flatMap(({ neighbours, others }) => [neighbours.p95, others.p95]),
  )
  const lines = situations.flatMap(({ name, neighbours, others }, index) => {
    const top = 262 + index * 50
    const length = (ms: number) => (ms / most) * (width - 400)
    return [
      label(20, top + 18, name),
      bar(260, top, length(neighbours.p95), 14, colours.hot),
      label(266 + length(neighbours.p95), top + 12, `${neighbours.p95.toFixed(0)} ms`),
      bar(260, top + 17, length(others.p95), 14, colours.second),
      label(266 + length(others.p95), top + 29, `${others.p95.toFixed(0)} ms`),
    ]
  })
  return [
    label(
      20,
      245,
      'p95 of a call of the other schools; red: same node as the large school, green: the other node',
    ),
    ...lines,
  ]
}

function bar(x: number, y: number, wide: number, high: number, colour: string): string {
  const [left, top, w, h] = [x, y, wide, high].map((value) => value.toFixed(1))
  return `<rect x="${left}" y="${top}" width="${w}" height="${h}" fill="${colour}"/>`
}

function label(x: number, y: number, text: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}">${text}</text>`
}
