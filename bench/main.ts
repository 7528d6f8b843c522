// `npm run bench`: see README.md.
import { cpus, totalmem } from 'node:os'
import { bulkRows, compareBulk, oursOfBulk } from './bench-bulk.ts'
import { benchCli } from './bench-cli.ts'
import { benchExport } from './bench-export.ts'
import { benchImport } from './bench-import.ts'
import { compareLists, oursOfLists } from './bench-lists.ts'
import { type Line, table } from './measure.ts'
import { forget, seed, startServer } from './place.ts'

const parts = ['import', 'bulk', 'lists', 'export', 'cli']
const asked = process.argv.slice(2)
const wants = (part: string) => asked.length === 0 || asked.includes(part)
if (asked.some((part) => !parts.includes(part))) {
  process.stderr.write(`usage: npm run bench -- [${parts.join('] [')}]\n`)
  process.exit(2)
}
const say = (text: string) => process.stdout.write(`${text}\n`)
const lines: Line[] = []
function keep(more: readonly Line[]) {
  lines.push(...more)
  for (const line of more)
    process.stderr.write(
      `  ${line.what}  ${line.ours}  ${line.bare}  ${line.ratio}  ${line.note}\n`,
    )
}

seed(10_000)
if (wants('import') || wants('cli')) {
  const server = await startServer()
  if (wants('import')) keep(await benchImport(server))
  if (wants('cli')) keep(await benchCli(server))
  await server.stop()
  forget()
}
if (wants('bulk')) {
  seed(bulkRows)
  const server = await startServer()
  const measured = await oursOfBulk(server)
  await server.stop()
  keep(await compareBulk(measured))
  forget()
}
for (const rows of wants('lists')
  ? (process.env.LIST_ROWS ?? '10000,100000,1000000').split(',').map(Number)
  : []) {
  seed(rows)
  const server = await startServer()
  const measured = await oursOfLists(server, rows)
  await server.stop()
  keep(await compareLists(rows, measured))
}
if (wants('export')) {
  seed(Number(process.env.EXPORT_ROWS ?? 1_000_000))
  const server = await startServer()
  const { lines: found, bare } = await benchExport(server)
  keep(found)
  await server.stop()
  keep(await bare())
}
say(
  `\n${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown make'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n\n${table(lines)}`,
)
