import { cpus, totalmem } from 'node:os'
import { table } from '../measure.ts'
import type { Result } from './result.ts'
import type { Measured } from './load.ts'

export function machine(): string {
  const cores = cpus()
  return [
    `${cores.length} cores of ${cores[0]?.model ?? 'unknown make'}`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.version}`,
  ].join(', ')
}

export type Part = 'lists' | 'rivals'

const more = {
  lists: '',
  rivals: `\nDirectus is version 12 with its defaults, but without its pressure limiter, and as the administrator; its table has
one key column and indexes to match, it logs activity and revisions, and each of its pages asks for \`filter_count\`.
The product's pages carry their total as well; it checks the version of a row that it changes.`,
} as const satisfies Record<Part, string>

/** The results as Markdown. */
export function formatListReport(part: Part, results: readonly Result[]): string {
  const sections = [...Map.groupBy(results, ({ rows }) => rows)].map(
    ([rows, some]) => `## ${rows.toLocaleString('en')} rows\n\n${formatTable(some)}\n`,
  )
  return [
    part === 'lists' ? '# Lists\n' : '# Lists beside Directus\n',
    `\`npm run bench -- ${part}\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}. "Ours" is the product on PostgreSQL, "bare" a Fastify and pg server`,
    'without sessions, rights, history and audit log on the same table, with prepared statements; "limit" is bare without totals. A ratio of rates above 1',
    'means that ours serves more calls a second. Words that are searched for change; all answer the same rows. CPU is',
    `milliseconds of processor time per call, server + database; the load generator shares the processors.${more[part]}\n`,
    ...sections,
  ].join('\n')
}

function formatTable(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ call, connections }) => `${call}, ${connections} at once`)
  const names = [...new Set(results.map(({ contestant }) => contestant))]
  const head = ['calls', 'ours : bare']
  if (names.includes('limit')) head.push('CPU ours : limit')
  if (names.includes('directus')) head.push('ours : directus')
  if (names.includes('before')) head.push('ours : before')
  if (names.includes('embedded')) head.push('embedded : ours')
  for (const name of names) head.push(`${name} /s`, 'p50 / p99 ms', 'CPU ms')
  const rows = [...groups].map(([what, some]) => {
    const of = (name: string) => some.find(({ contestant }) => contestant === name)?.measured
    const cells = [what, ratio(of('ours'), of('bare'))]
    if (names.includes('limit')) cells.push(cpuRatio(of('ours'), of('limit')))
    if (names.includes('directus')) cells.push(ratio(of('ours'), of('directus')))
    if (names.includes('before')) cells.push(ratio(of('ours'), of('before')))
    if (names.includes('embedded')) cells.push(ratio(of('embedded'), of('ours')))
    for (const name of names) cells.push(...figures(of(name)))
    return cells
  })
  return table([head, ...rows])
}

function ratio(a: Measured | undefined, b: Measured | undefined): string {
  if (a === undefined || b === undefined) return '–'
  if (a.refused !== undefined || b.refused !== undefined) return 'refused'
  return (a.perSecond / b.perSecond).toFixed(2)
}

function cpuRatio(a: Measured | undefined, b: Measured | undefined): string {
  if (a === undefined || b === undefined) return '–'
  if (a.refused !== undefined || b.refused !== undefined) return 'refused'
  return ((a.serverCpu + a.databaseCpu) / (b.serverCpu + b.databaseCpu)).toFixed(1)
}

function figures(measured: Measured | undefined): string[] {
  if (measured === undefined) return ['–', '–', '–']
  if (measured.refused !== undefined) return ['refused', '–', '–']
  const { perSecond, p50, p99, serverCpu, databaseCpu } = measured
  return [
    perSecond.toFixed(0),
    `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
    databaseCpu === 0
      ? serverCpu.toFixed(2)
      : `${serverCpu.toFixed(2)} + ${databaseCpu.toFixed(2)}`,
  ]
}
