// Imports with `abort` and `skip` and exports of the same rows, in turns with another checkout.
// Every measurement has a server of its own on a copy of one filled database, so that neither
// earlier rows nor the memory of an earlier one counts.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportOnce } from '../bench-export.ts'
import { importOnce, writeSheet } from '../bench-import.ts'
import { cpuMs } from '../country/load.ts'
import { machine } from '../lists/report.ts'
import { table } from '../measure.ts'
import { folder, isEmbedded, root, type Running, seed, startServer } from '../place.ts'

const seeded = 10_000
const imports = ['abort', 'skip'] as const
const formats = ['xlsx', 'csv', 'ndjson'] as const
const rounds = Number(process.env.BENCH_ROUNDS ?? 2)

interface Contestant {
  readonly name: string
  readonly checkout: string
  /** Data folder with the rows that every measurement starts from. */
  readonly data: string
}

interface Work {
  readonly took: number
  readonly rows: number
  readonly before: number
  readonly peak: number
}

interface Measured {
  readonly what: string
  readonly size: number
  readonly name: string
  readonly perSecond: number
  /** Microseconds of processor time that the server spent per row, maintenance until its end included. */
  readonly cpu: number
  /** Resident memory of the server in MB when the work began, and its highest. */
  readonly before: number
  readonly peak: number
}

export async function benchSheets(sizes: readonly number[]): Promise<void> {
  if (!isEmbedded) {
    process.stderr.write('sheets are measured on the embedded engine: unset DATABASE_URL\n')
    return
  }
  const contestants = contestantsFilled()
  const found: Measured[] = []
  for (const size of sizes.length === 0 ? [20_000, 100_000] : sizes) {
    const path = join(folder, `students-${size}.xlsx`)
    await writeSheet(path, 'A', size)
    for (let round = 0; round < rounds; round += 1)
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed())
        for (const one of await measureSheets(contestant, path, size)) {
          found.push(one)
          process.stderr.write(
            `  ${one.what} of ${size}, ${one.name}: ${one.perSecond.toFixed(0)}/s, ${one.cpu.toFixed(0)} µs, ${one.peak.toFixed(0)} MB\n`,
          )
        }
    rmSync(path)
  }
  const text = formatSheetsReport(found, contestants)
  process.stdout.write(`${text}\n`)
  writeFileSync(join(root, 'bench/results/sheets.md'), text)
}

function contestantsFilled(): readonly Contestant[] {
  const before = process.env.BENCH_BEFORE
  const all = [
    { name: 'now', checkout: root, data: join(folder, 'filled-now') },
    ...(before === undefined
      ? []
      : [{ name: 'before', checkout: before, data: join(folder, 'filled-before') }]),
  ]
  for (const { checkout, data } of all) {
    mkdirSync(data, { recursive: true })
    seed(seeded, checkout, data)
  }
  return all
}

async function measureSheets(
  { name, checkout, data }: Contestant,
  path: string,
  size: number,
): Promise<Measured[]> {
  const copy = join(folder, 'measured')
  const found: Measured[] = []
  const on = async (what: string, work: (server: Running) => Promise<Work>) => {
    const server = await startServer({ DATA_DIR: copy }, checkout)
    const started = cpuMs([server.pid])
    const { took, rows, before, peak } = await work(server)
    const cpu = ((cpuMs([server.pid]) - started) * 1_000) / rows
    found.push({ what, size, name, perSecond: rows / took, cpu, before, peak })
    await server.stop()
  }
  for (const onError of imports) {
    cpSync(data, copy, { recursive: true })
    await on(`import, ${onError}`, async (server) => ({
      ...(await importOnce(server, path, onError, size)),
      rows: size,
    }))
    if (onError === imports[0])
      for (const format of formats)
        await on(`export, ${format}`, (server) => exportOnce(server, format))
    rmSync(copy, { recursive: true })
  }
  return found
}

function formatSheetsReport(
  found: readonly Measured[],
  contestants: readonly Contestant[],
): string {
  const names = contestants.map(({ name }) => name)
  const head = ['what', 'rows']
  for (const name of names) head.push(`${name}, rows/s`, 'CPU µs a row', 'memory MB')
  if (names.length > 1) head.push('now : before, rows/s', 'CPU')
  const groups = Map.groupBy(found, ({ what, size }) => `${what}|${size}`)
  const rows = [...groups.values()].map((some) => {
    const of = (name: string) => some.filter((one) => one.name === name)
    const cells = [some[0]?.what ?? '', (some[0]?.size ?? 0).toLocaleString('en')]
    for (const name of names) cells.push(...figures(of(name)))
    if (names.length > 1)
      cells.push(
        (medianPerSecond(of('now')) / medianPerSecond(of('before'))).toFixed(2),
        (medianCpu(of('now')) / medianCpu(of('before'))).toFixed(2),
      )
    return cells
  })
  return [
    '# Sheets\n',
    `\`npm run bench -- sheets\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}, embedded engine. Students with 12 columns, from and to`,
    `a table that holds ${seeded.toLocaleString('en')} others (an export writes those too); medians, with each figure. CPU is the server's processor time, which other`,
    "work on the machine changes least; memory is the server's before the work and its highest during it.\n",
    `${table([head, ...rows])}\n`,
  ].join('\n')
}

function figures(some: readonly Measured[]): string[] {
  const speeds = some.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en'))
  const range = some.length > 1 ? ` (${[...speeds].join(', ')})` : ''
  const mb = (values: readonly number[]) => Math.round(median(values))
  return [
    `${Math.round(medianPerSecond(some)).toLocaleString('en')}${range}`,
    String(Math.round(medianCpu(some))),
    `${mb(some.map(({ before }) => before))} to ${mb(some.map(({ peak }) => peak))}`,
  ]
}

const medianPerSecond = (some: readonly Measured[]): number =>
  median(some.map(({ perSecond }) => perSecond))

const medianCpu = (some: readonly Measured[]): number => median(some.map(({ cpu }) => cpu))

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
