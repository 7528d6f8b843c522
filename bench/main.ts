// `npm run bench`: see README.md.
import { cpus, totalmem } from 'node:os'
import { benchAudit } from './bench-audit.ts'
import { bulkRows, compareBulk, measureBulk } from './bench-bulk.ts'
import { benchCli } from './bench-cli.ts'
import { benchExport } from './bench-export.ts'
import { benchImport } from './bench-import.ts'
import { benchCountry } from './country/country.ts'
import { compareLists, measureLists } from './bench-lists.ts'
import { type Line, table } from './measure.ts'
import { removeData, seed, startServer, withDatabase } from './place.ts'

const parts = ['import', 'bulk', 'lists', 'export', 'cli', 'audit', 'country']
const requested = process.argv.slice(2)
const wants = (part: string) => requested.length === 0 || requested.includes(part)
if (requested.some((part) => !parts.includes(part))) {
  process.stderr.write(`usage: npm run bench -- [${parts.join('] [')}]\n`)
  process.exit(2)
}
if (requested.includes('country')) {
  await benchCountry()
  process.exit(0)
}
const lines: Line[] = []
function report(more: readonly Line[]) {
  lines.push(...more)
  for (const line of more)
    process.stderr.write(
      `  ${line.what}  ${line.ours}  ${line.bare}  ${line.ratio}  ${line.note}\n`,
    )
}

if (wants('audit')) {
  report(await withDatabase(benchAudit))
  removeData()
}
if (requested.length !== 1 || !wants('audit')) seed(10_000)
if (wants('import') || wants('cli')) {
  const server = await startServer()
  if (wants('import')) report(await benchImport(server))
  if (wants('cli')) report(await benchCli(server))
  await server.stop()
  removeData()
}
if (wants('bulk')) {
  seed(bulkRows)
  const server = await startServer()
  const measured = await measureBulk(server)
  await server.stop()
  report(await compareBulk(measured))
  removeData()
}
for (const rows of wants('lists')
  ? (process.env.LIST_ROWS ?? '10000,100000,1000000').split(',').map(Number)
  : []) {
  seed(rows)
  const server = await startServer()
  const measured = await measureLists(server, rows)
  await server.stop()
  report(await compareLists(rows, measured))
}
if (wants('export')) {
  seed(Number(process.env.EXPORT_ROWS ?? 1_000_000))
  const server = await startServer()
  const { lines: found, bare } = await benchExport(server)
  report(found)
  await server.stop()
  report(await bare())
}
const cores = cpus()
const machine = [
  `${cores.length} cores of ${cores[0]?.model ?? 'unknown make'}`,
  `${Math.round(totalmem() / 2 ** 30)} GB`,
  `Node ${process.version}`,
].join(', ')
process.stdout.write(`\n${machine}\n\n${table(lines)}\n`)
