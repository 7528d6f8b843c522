import { t } from '@jiaowu/api/texts/index'
import { dirname, join, resolve } from 'node:path'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { buildFlowMachine, listFieldNames } from '../machine-report/flow-book.ts'
import { loadPathBook } from '../machine-report/load-book.ts'
import type { BookMachine, PathBook, Sentence } from '../machine-report/path-book.ts'
import { readRunResult, type RunResult } from '../machine-report/run-result.ts'
import { writeSite } from '../machine-report/write-site.ts'
import { connect } from '../session/connect.ts'

export interface ReportFlags {
  readonly output: string
  readonly result?: string
  readonly against?: string
  /** Its definitions' flows are in the report, too. */
  readonly server?: string
}

/** `machine report -o DIR [MACHINE…]`: a site of pages with each machine's chart and its paths as recipes. */
export async function writeReport(
  line: CommandLine,
  names: readonly string[],
  flags: ReportFlags,
): Promise<void> {
  const { locale, output } = line
  const result = flags.result === undefined ? null : readRun(line, flags.result)
  const against = flags.against === undefined ? null : readRun(line, flags.against)
  output.progress(t(locale, 'cli.report.making'))
  const whole = await loadPathBook(line)
  const flows = flags.server !== undefined ? await loadFlows(line) : []
  output.progress(null)
  const known = new Set(flows.map(({ id }) => id))
  const book = chooseMachines(line, names, {
    ...whole,
    machines: [...whole.machines.filter(({ id }) => !known.has(id)), ...flows],
  })
  const folder = resolve(flags.output)
  const index = await writeSite(folder, book, {
    locale,
    result,
    against,
    pictures: flags.result === undefined ? null : join(dirname(resolve(flags.result)), 'pictures'),
  })
  const paths = book.machines.reduce((sum, machine) => sum + machine.paths.length, 0)
  output.done(
    { index, machines: book.machines.length, paths },
    t(locale, 'cli.report.done', { n: book.machines.length, paths, file: index }),
    index,
  )
}

function readRun({ locale }: CommandLine, file: string): RunResult {
  try {
    return readRunResult(file)
  } catch {
    throw new CommandError(exitCodes.usage, t(locale, 'cli.report.noResult', { file }))
  }
}

/** Machines by their names (`sign-in` or `signIn`), and flows by the tags of their entities. */
function chooseMachines(
  { locale }: CommandLine,
  names: readonly string[],
  book: PathBook,
): PathBook {
  if (names.length === 0) return book
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase()
  return {
    ...book,
    machines: names.map((name) => {
      const found = book.machines.find(({ id }) => plain(id) === plain(name))
      if (found === undefined)
        throw new CommandError(exitCodes.refused, t(locale, 'cli.noMachine', { name }))
      return found
    }),
  }
}

/** The flows of the server's definitions. */
async function loadFlows(line: CommandLine): Promise<readonly BookMachine[]> {
  const { api } = connect(line)
  const { signal } = line
  const { records } = await api.design.page({ body: { pageSize: 1000 }, signal })
  const roles = await loadRoleNames(line)
  const found: BookMachine[] = []
  for (const { tag } of records) {
    const { name, nameEn, options, fields } = await api.design.load({ params: { tag }, signal })
    if (options.flow !== undefined)
      found.push(
        buildFlowMachine({
          tag,
          name: { zh: name, en: nameEn === '' ? name : (nameEn ?? name) },
          flow: options.flow,
          fields: listFieldNames(fields),
          roles,
        }),
      )
  }
  return found
}

async function loadRoleNames(line: CommandLine): Promise<Readonly<Record<string, Sentence>>> {
  const { records } = await connect(line).api.entityData.page({
    params: { tag: 'SYS_ROLE' },
    body: { pageSize: 1000, withTotal: false },
    signal: line.signal,
  })
  return Object.fromEntries(
    records.map((row) => [
      String(row['code']),
      { zh: String(row['name']), en: String(row['name']) },
    ]),
  )
}
