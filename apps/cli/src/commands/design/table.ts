// Tables that designers change while the server runs: every change is shown first, and asked about.
import { type AskedColumn, columnKinds } from '@jiaowu/api/entity/definition/sheet'
import type { TableAct, TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect } from '../../session/connect.ts'
import { confirmAct } from '../../terminal/confirm.ts'
import { calling, isKind, readSize } from './adopt-sheet.ts'

export interface TableFlags {
  readonly column?: readonly string[]
  readonly required?: readonly string[]
  readonly unique?: readonly string[]
  readonly default?: readonly string[]
  readonly tag?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** `design table show TAG`: archived columns, and the changes so far. */
export async function showTable(line: CommandLine, tag: string): Promise<void> {
  const { locale, output, signal } = line
  const state = await connect(line).api.design.tableState({ params: { tag }, signal })
  if (state.refusal !== null) output.talk(state.refusal)
  for (const { column, label, time, values } of state.archived)
    output.talk(`${label} (${column}): ${t(locale, 'tableChange.archivedAt', { time, n: values })}`)
  if (output.json) {
    output.object(state)
    return
  }
  output.rows(state.changes, () => ({
    heads: (['id', 'change', 'columns', 'time', 'user'] as const).map((name) =>
      t(locale, `cli.table.${name}`),
    ),
    cells: state.changes.map(({ id, kind, columns, time, user, isUndone }) => [
      id,
      `${t(locale, `tableChange.kind.${kind}`)}${isUndone ? ` (${t(locale, 'tableChange.undone')})` : ''}`,
      columns.join('、'),
      time,
      user ?? '',
    ]),
  }))
}

/** `design table add TAG --column 宿舍=text:20`. */
export async function addTableColumns(
  line: CommandLine,
  tag: string,
  flags: TableFlags,
): Promise<void> {
  await act(line, tag, { act: 'add', columns: readColumns(line, flags) }, flags)
}

export async function archiveTableColumn(
  line: CommandLine,
  tag: string,
  column: string,
  flags: TableFlags,
): Promise<void> {
  await act(line, tag, { act: 'archive', column }, flags)
}

export async function restoreTableColumn(
  line: CommandLine,
  tag: string,
  column: string,
  flags: TableFlags,
): Promise<void> {
  await act(line, tag, { act: 'restore', column }, flags)
}

export async function dropTableColumn(
  line: CommandLine,
  tag: string,
  column: string,
  flags: TableFlags,
): Promise<void> {
  await act(line, tag, { act: 'drop', column }, flags)
}

export async function takeTableBack(
  line: CommandLine,
  tag: string,
  flags: TableFlags,
): Promise<void> {
  await act(line, tag, { act: 'takeBack' }, flags)
}

/** `design table undo TAG [CHANGE]`: the last change that can be taken back. */
export async function undoTableChange(
  line: CommandLine,
  tag: string,
  id: string | undefined,
  flags: TableFlags,
): Promise<void> {
  const { api } = connect(line)
  const { changes } = await api.design.tableState({ params: { tag }, signal: line.signal })
  const change = id ?? changes.find(({ canUndo }) => canUndo)?.id
  if (change === undefined)
    throw new CommandError(exitCodes.refused, t(line.locale, 'made.notUndoable'))
  await act(line, tag, { act: 'undo', change }, flags)
}

/** `design table new NAME --column 事由=text:200`: an empty table with its entity. */
export async function makeTable(line: CommandLine, name: string, flags: TableFlags): Promise<void> {
  const { api } = connect(line)
  const plan = {
    name,
    ...(flags.tag !== undefined && { tag: flags.tag }),
    columns: readColumns(line, flags),
  }
  await askAndMake(line, flags, (preview) =>
    api.design.makeTable({ body: { preview, plan }, signal: line.signal }),
  )
}

async function act(
  line: CommandLine,
  tag: string,
  change: TableAct,
  flags: TableFlags,
): Promise<void> {
  const { api } = connect(line)
  let told: TableAct = change
  await askAndMake(line, flags, async (preview) => {
    const body = { preview, change: told }
    const outcome = await api.design.changeTable({ params: { tag }, body, signal: line.signal })
    // The number that the person was told goes back with the act.
    if (change.act === 'drop') told = { ...change, values: outcome.lost ?? 0 }
    if (change.act === 'takeBack') told = { ...change, rows: outcome.lost ?? 0 }
    return outcome
  })
}

async function askAndMake<Outcome extends TableOutcome>(
  line: CommandLine,
  { dryRun, yes }: TableFlags,
  call: (preview: boolean) => Promise<Outcome>,
): Promise<void> {
  const { output, locale } = line
  const shown = await calling(line, () => call(true))
  for (const text of shown.words) output.talk(text)
  if (dryRun === true) {
    if (output.json) output.object(shown)
    else output.data(shown.statements, () => [shown.statements])
    return
  }
  await confirmAct(line, t(locale, 'cli.table.ask'), yes)
  const made = await calling(line, () => call(false))
  output.done(made, t(locale, 'tableChange.done'), made.change ?? '')
}

/** @throws CommandError (usage) for an unknown kind, or a flag of no column */
function readColumns({ locale }: CommandLine, flags: TableFlags): AskedColumn[] {
  const { column = [], required = [], unique = [] } = flags
  const defaults = new Map((flags.default ?? []).map(splitPair))
  const columns = column.map((text): AskedColumn => {
    const [label, rest] = splitPair(text)
    const [kind = '', more = ''] = rest.split(/:(.*)/s)
    if (label === '' || !isKind(kind))
      throw new CommandError(
        exitCodes.usage,
        t(locale, 'cli.design.badColumn', { text, kinds: columnKinds.join(' ') }),
      )
    const value = defaults.get(label)
    return {
      label,
      kind,
      ...readMore(kind, more),
      ...(required.includes(label) && { required: true }),
      ...(unique.includes(label) && { unique: true }),
      ...(value !== undefined && { defaultValue: value }),
    }
  })
  const labels = new Set(columns.map(({ label }) => label))
  const stray = [...required, ...unique, ...defaults.keys()].find((label) => !labels.has(label))
  if (columns.length === 0 || stray !== undefined)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.design.badColumn', { text: stray ?? '', kinds: columnKinds.join(' ') }),
    )
  return columns
}

/** Choices between commas make a dictionary; one word names one that exists. */
function readMore(kind: AskedColumn['kind'], more: string): Partial<AskedColumn> {
  if (kind !== 'choice' || !/[,，、]/.test(more)) {
    const { length, scale, target, dictionary } = readSize(kind, more)
    return {
      ...(length !== undefined && { length }),
      ...(scale !== undefined && { scale }),
      ...(target !== undefined && { target }),
      ...(dictionary !== undefined && { dictionary }),
    }
  }
  return { choices: more.split(/[,，、]/).filter(Boolean) }
}

function splitPair(text: string): [label: string, rest: string] {
  const at = text.indexOf('=')
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
