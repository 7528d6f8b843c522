// `design adopt FILE.xlsx|csv`: a sheet that fits no entity becomes a table with its rows.
import {
  type ColumnKind,
  columnKinds,
  planSheet,
  type ProposedColumn,
  type SheetProposal,
} from '@jiaowu/api/entity/definition/sheet'
import { toProblem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect } from '../../session/connect.ts'
import type { Api } from '../../session/api.ts'
import { askOnTerminal } from '../../terminal/prompt.ts'
import { readFileStats } from '../../entities/import/sheet-file.ts'
import { importRows } from '../entity/import.ts'

export interface SheetFlags {
  readonly name?: string
  readonly tag?: string
  readonly sheet?: string
  readonly heading?: string
  /** `LABEL=KIND[:MORE]`: what a column is, or `LABEL=-` to leave it out. */
  readonly column?: readonly string[]
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** Whether the argument is a sheet, and no name of a table. */
export async function isSheetFile(path: string): Promise<boolean> {
  return (
    /\.(?:xlsx|xlsm|csv|tsv|txt|xls|et|ods|numbers)$/i.test(path) &&
    (await readFileStats(path)) !== null
  )
}

export async function adoptSheet(
  line: CommandLine,
  path: string,
  flags: SheetFlags,
): Promise<void> {
  const { interactive, locale, output, signal } = line
  const isAsked = interactive && flags.yes !== true && flags.dryRun !== true
  if (!interactive && flags.yes !== true && flags.dryRun !== true)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.design.sheetYes'))
  const { api } = connect(line)
  const file = new File([await openAsBlob(path)], basename(path))
  const proposal = withFlags(await propose(line, api, file, flags), flags, line)
  if (flags.dryRun === true && output.json) {
    output.object(proposal)
    return
  }
  if (!output.json) showProposal(line, proposal)
  if (flags.dryRun === true) return
  const plan = isAsked ? await askChanges(line, proposal) : proposal
  const made = await calling(line, () =>
    api.design.adoptSheet({ body: { file, plan: JSON.stringify(planSheet(plan)) }, signal }),
  )
  output.talk(t(locale, 'sheetTable.made', { table: made.table, name: made.name }))
  if (made.jobId === null) output.talk(t(locale, 'sheetTable.noRows', { name: made.name }))
  else await importRows(line, undefined, undefined, { resume: made.jobId, yes: !isAsked })
}

async function propose(
  line: CommandLine,
  api: Api,
  file: File,
  { sheet, heading }: SheetFlags,
): Promise<SheetProposal> {
  const body = {
    file,
    ...(sheet !== undefined && { sheet }),
    ...(heading !== undefined && { heading: Number(heading) }),
  }
  return await calling(line, () => api.design.proposeSheet({ body, signal: line.signal }))
}

/** @throws CommandError with what the server says of each part of the plan */
export async function calling<T>({ output }: CommandLine, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { issues } = toProblem(error)
    for (const { msg } of issues) output.talk(msg)
    if (issues.length > 0) throw new CommandError(exitCodes.refused, '')
    throw error
  }
}

function withFlags(
  proposal: SheetProposal,
  { name, tag, column = [] }: SheetFlags,
  line: CommandLine,
): SheetProposal {
  const named = {
    ...proposal,
    ...(name !== undefined && { name }),
    ...(tag !== undefined && { tag }),
  }
  return column.reduce((plan, change) => changeColumn(plan, change, line), named)
}

/**
 * `成绩=decimal:1`, `班级=relation:EDU_CLASS`, `备注=-`, `A=姓名:text:40` with another label.
 * @throws CommandError (usage) for an unknown column or kind
 */
function changeColumn(plan: SheetProposal, change: string, { locale }: CommandLine): SheetProposal {
  const [, name = '', rest = ''] = /^(.+?)=(.+)$/s.exec(change.trim()) ?? []
  const column = plan.columns.find(({ label, letter }) => label === name || letter === name)
  const part = readPart(rest)
  if (column === undefined || part === null)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.design.badColumn', { text: change, kinds: columnKinds.join(' ') }),
    )
  return {
    ...plan,
    columns: plan.columns.map((each) => (each === column ? { ...each, ...part } : each)),
  }
}

export const isKind = (text: string): text is ColumnKind =>
  columnKinds.some((kind) => kind === text)

/** Reads `-`, `kind`, `kind:more` and `label:kind:more`; null for anything else. */
function readPart(text: string): Partial<ProposedColumn> | null {
  if (text === '-') return { isLeft: true }
  const parts = text.split(':')
  const [label = '', kind = '', more = ''] = isKind(parts[0] ?? '') ? ['', ...parts] : parts
  if (!isKind(kind)) return null
  return {
    isLeft: false,
    ...(label !== '' && { label }),
    kind,
    dictionary: undefined,
    ...readSize(kind, more),
  }
}

export function readSize(kind: ColumnKind, more: string): Partial<ProposedColumn> {
  if (more === '') return {}
  if (kind === 'text') return { length: Number(more) }
  if (kind === 'decimal') return { scale: Number(more) }
  if (kind === 'relation') return { target: more }
  return kind === 'choice' ? { dictionary: more } : {}
}

function showProposal({ output, locale }: CommandLine, proposal: SheetProposal): void {
  const { name, tag, table, rows, notes, fits, columns } = proposal
  output.talk(t(locale, 'cli.design.sheetHead', { name, tag, table, rows }))
  if (fits !== null) output.talk(t(locale, 'sheetTable.fits', { name: fits.name, n: fits.columns }))
  for (const note of notes) output.talk(note)
  output.rows(columns, () => ({
    heads: [
      '',
      t(locale, 'sheetTable.label'),
      t(locale, 'sheetTable.kind'),
      t(locale, 'sheetTable.more'),
      t(locale, 'sheetTable.samples'),
    ],
    cells: columns.map((column) => [
      column.letter,
      column.label,
      column.isLeft ? t(locale, 'cli.design.sheetLeft') : t(locale, `columnKind.${column.kind}`),
      listFacts(column, proposal, locale).join(' · '),
      column.samples.join('、'),
    ]),
  }))
  for (const { label, notes: its } of columns)
    for (const note of its) output.talk(`${label}: ${note}`)
}

function listFacts(
  column: ProposedColumn,
  { targets }: SheetProposal,
  locale: CommandLine['locale'],
): string[] {
  const { kind, isLeft, unique, required, length, scale, dictionary, choices = [], target } = column
  if (isLeft) return []
  const name = targets.find(({ tag }) => tag === target)?.name ?? target ?? ''
  return [
    ...(kind === 'text' && length !== undefined ? [String(length)] : []),
    ...(kind === 'decimal' && scale !== undefined ? [`0.${'0'.repeat(scale)}`] : []),
    ...(kind === 'choice' ? [dictionary ?? choices.slice(0, 5).join('、')] : []),
    ...(kind === 'relation' ? [name] : []),
    ...(unique === true ? [t(locale, 'sheetTable.unique')] : []),
    ...(required === true ? [t(locale, 'sheetTable.required')] : []),
  ]
}

/** Takes changes line by line until an empty one. */
async function askChanges(line: CommandLine, proposal: SheetProposal): Promise<SheetProposal> {
  let plan = proposal
  for (;;) {
    const answer = await askOnTerminal(t(line.locale, 'cli.design.sheetAsk'), line.signal)
    if (answer.trim() === '') return plan
    try {
      plan = changeColumn(plan, answer, line)
      showProposal(line, plan)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      line.output.talk(error.message)
    }
  }
}
