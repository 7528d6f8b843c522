// `npm run bench`: see README.md.
import { benchAdmission } from './admission.ts'
import { benchAudit } from './bench-audit.ts'
import { bulkRows, compareBulk, measureBulk } from './bench-bulk.ts'
import { benchBundle } from './bundle/bundle.ts'
import { benchCli } from './bench-cli.ts'
import { benchExport } from './bench-export.ts'
import { benchImport } from './bench-import.ts'
import { benchCountry } from './country/country.ts'
import { benchFlows } from './bench-flows.ts'
import { benchGrid } from './grid/grid.ts'
import { benchCrowd } from './lists/crowd.ts'
import { benchLists, benchRivals } from './lists/lists.ts'
import { benchOrder } from './lists/order.ts'
import { benchRules } from './lists/rules.ts'
import { machine } from './lists/report.ts'
import { type Line, linesTable } from './measure.ts'
import { benchDirty } from './sheets/dirty.ts'
import { benchSheets } from './sheets/sheets.ts'
import { benchSignIns } from './sign-ins.ts'
import { benchSoak } from './soak/soak.ts'
import { removeData, seed, startServer, withDatabase } from './place.ts'

const parts =
  'import bulk lists export cli audit country bundle sheets soak dirty grid rivals order rules sign-ins admission flows crowd'.split(
    ' ',
  )
const requested = process.argv.slice(2).filter((word) => !/^\d+$/.test(word))
const sizes = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number)
const wants = (part: string) => requested.length === 0 || requested.includes(part)
if (requested.some((part) => !parts.includes(part))) {
  process.stderr.write(`usage: npm run bench -- [${parts.join('] [')}] [ROWS ...]\n`)
  process.exit(2)
}
if (requested.includes('country')) {
  await benchCountry()
  process.exit(0)
}
if (requested.length === 1 && wants('soak')) {
  await benchSoak(sizes[0] ?? 10)
  process.exit(0)
}
if (requested.includes('grid')) {
  await benchGrid(sizes[0] ?? 100_000)
  process.exit(0)
}
if (requested.includes('rivals')) {
  await benchRivals(sizes)
  process.exit(0)
}
if (requested.includes('crowd')) {
  await benchCrowd(sizes)
  process.exit(0)
}
if (requested.includes('order')) {
  await benchOrder(sizes)
  process.exit(0)
}
if (requested.includes('admission')) {
  await benchAdmission(sizes[0] ?? 10_000)
  process.exit(0)
}
if (requested.includes('sign-ins')) {
  await benchSignIns()
  process.exit(0)
}
if (requested.includes('rules')) {
  await benchRules(sizes)
  process.exit(0)
}
if (requested.includes('dirty')) {
  await benchDirty()
  process.exit(0)
}
if (requested.length === 1 && wants('bundle')) {
  await benchBundle()
  process.exit(0)
}
if (requested.length === 1 && wants('sheets')) {
  await benchSheets(sizes)
  process.exit(0)
}
if (requested.length === 1 && wants('lists')) {
  await benchLists(sizes)
  process.exit(0)
}
const lines: Line[] = []
function reportLines(more: readonly Line[]) {
  lines.push(...more)
  for (const line of more)
    process.stderr.write(
      `  ${line.what}  ${line.ours}  ${line.bare}  ${line.ratio}  ${line.note}\n`,
    )
}

if (wants('audit')) {
  reportLines(await withDatabase(benchAudit))
  removeData()
}
if (requested.length !== 1 || !wants('audit')) seed(10_000)
if (wants('import') || wants('cli') || wants('flows')) {
  const server = await startServer()
  if (wants('flows')) reportLines(await benchFlows(server))
  if (wants('import')) reportLines(await benchImport(server))
  if (wants('cli')) reportLines(await benchCli(server))
  await server.stop()
  removeData()
}
if (wants('bulk')) {
  seed(bulkRows)
  const server = await startServer()
  const measured = await measureBulk(server)
  await server.stop()
  reportLines(await compareBulk(measured))
  removeData()
}
if (wants('export')) {
  seed(Number(process.env.EXPORT_ROWS ?? 1_000_000))
  const server = await startServer()
  const { lines: found, bare } = await benchExport(server)
  reportLines(found)
  await server.stop()
  reportLines(await bare())
}
process.stdout.write(`\n${machine()}\n\n${linesTable(lines)}\n`)
if (wants('lists')) await benchLists(sizes)
if (wants('bundle')) await benchBundle()
if (wants('sheets')) await benchSheets(sizes)
if (wants('soak')) await benchSoak(10)
