// `flow decide --file`: decisions from a list, checked together before any is made (docs/rules/contract.md#flows).
import type { FlowDecided } from '@jiaowu/api/contract/entity/flow'
import { limits } from '@jiaowu/api/limits'
import { ApiProblem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { type ListRecord, readList } from '../files/list-file.ts'
import type { Api } from '../session/api.ts'
import { connect } from '../session/connect.ts'
import { askOnTerminal, isYes } from '../terminal/prompt.ts'

interface FileFlags {
  readonly yes?: boolean
  readonly dryRun?: boolean
}
/** A row of the list. */
interface Item {
  readonly row: number
  readonly tag: string
  readonly id: string
  readonly event: string
  readonly note: string
}
interface Answered extends Omit<FlowDecided, 'tag' | 'id'>, Item {}

/** As many as one call takes. */
const together = 100

/**
 * Checks the decisions of the list, tells what each would come to, and makes those that are possible.
 * @throws CommandError partial when some are refused, refused when all are
 */
export async function decideList(line: CommandLine, path: string, flags: FileFlags): Promise<void> {
  const { locale, output } = line
  const items = (await readList(path, locale)).map((record) => readItem(line, path, record))
  if (items.length === 0) throw toUsageFault(t(locale, 'cli.flow.file.empty', { path }))
  const { api } = connect(line)
  const versions = await loadVersions(line, api, items)
  const checked = await sendItems(line, api, { items, versions, isPreview: true })
  const possible = checked.filter(({ ok }) => ok)
  const isOver = flags.dryRun === true || possible.length === 0
  if (isOver || flags.yes !== true || !output.json) tellChecked(line, checked)
  if (!isOver && !(await agree(line, possible.length, flags.yes === true)))
    throw new CommandError(exitCodes.interrupted, t(locale, 'cli.bulk.left'))
  const decided = isOver ? [] : await sendItems(line, api, { items: possible, versions })
  const results = checked.map((each) => decided.find(({ row }) => row === each.row) ?? each)
  const ok = results.filter((each) => each.ok).length
  const refused = results.length - ok
  if (output.json) output.rows(results, () => ({ heads: [], cells: [] }))
  if (!isOver) {
    for (const each of decided.filter((one) => !one.ok)) tellRefused(line, each)
    output.talk(t(locale, 'todo.told', { ok, refused }))
  }
  if (refused > 0)
    throw new CommandError(
      ok > 0 ? exitCodes.partial : exitCodes.refused,
      t(locale, 'cli.flow.file.refused', { n: refused }),
    )
}

const headings = {
  tag: ['tag', '标识'],
  id: ['id', '编号'],
  event: ['event', '事件', '决定'],
  note: ['note', '意见'],
} as const

/** @throws CommandError (usage) for a row without tag, id or event */
function readItem({ locale }: CommandLine, path: string, { row, cells }: ListRecord): Item {
  const read = (name: keyof typeof headings) =>
    headings[name].map((head) => cells[head]?.trim() ?? '').find((text) => text !== '') ?? ''
  const item = { row, tag: read('tag'), id: read('id'), event: read('event'), note: read('note') }
  const missing = (['tag', 'id', 'event'] as const).filter((name) => item[name] === '')
  if (missing.length > 0)
    throw toUsageFault(
      t(locale, 'cli.flow.file.missing', { path, row, names: missing.join(', ').toUpperCase() }),
    )
  return item
}

const keyCase = ({ tag, id }: Pick<Item, 'tag' | 'id'>) => `${tag}/${id}`

/** The versions that the cases have now; without those that cannot be read, which the check explains. */
async function loadVersions(
  { signal }: CommandLine,
  api: Api,
  items: readonly Item[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(items.map(keyCase))
  const versions = new Map<string, string>()
  const body = { mine: 'open', pageSize: limits.maxPageSize } as const
  for (const each of (await api.flow.todo({ body, signal })).records)
    if (wanted.has(keyCase(each))) versions.set(keyCase(each), each.version)
  for (const item of items)
    if (!versions.has(keyCase(item)))
      try {
        const { version } = await api.flow.read({ params: item, signal })
        versions.set(keyCase(item), version)
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.problem.kind !== 'refused') throw error
      }
  return versions
}

interface Batch {
  readonly items: readonly Item[]
  readonly versions: ReadonlyMap<string, string>
  readonly isPreview?: boolean
}

async function sendItems(
  { locale, output, signal }: CommandLine,
  api: Api,
  { items, versions, isPreview = false }: Batch,
): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  const seen = new Set<string>()
  const repeated = items.filter((item) => {
    const isRepeated = seen.has(keyCase(item))
    seen.add(keyCase(item))
    return isRepeated
  })
  const first = items.filter((item) => !repeated.includes(item))
  for (let from = 0; from < first.length; from += together) {
    const some = first.slice(from, from + together)
    const { results } = await api.flow.decide({
      body: {
        preview: isPreview,
        items: some.map(({ tag, id, event, note }) => ({
          tag,
          id,
          event,
          version: versions.get(keyCase({ tag, id })) ?? '0.0',
          fields: {},
          ...(note !== '' && { note }),
        })),
      },
      signal,
    })
    some.forEach((item, i) => {
      const result = results[i]
      if (result !== undefined) answers.push({ ...result, ...item })
    })
    output.progress(t(locale, 'bulk.far', { done: from + some.length, total: first.length }))
  }
  output.progress(null)
  const msg = t(locale, 'cli.flow.file.twice')
  return [
    ...answers,
    ...repeated.map((item) => ({ ...item, ok: false, state: null, name: null, msg })),
  ].toSorted((a, b) => a.row - b.row)
}

/** The counts by event and state, then each refused row. */
function tellChecked(line: CommandLine, checked: readonly Answered[]): void {
  const { locale, output } = line
  const possible = checked.filter(({ ok }) => ok)
  const refused = checked.filter(({ ok }) => !ok)
  output.talk(t(locale, 'todo.checked', { ok: possible.length, refused: refused.length }))
  const groups = Map.groupBy(possible, ({ tag, event, name }) => `${tag} ${event} → ${name ?? ''}`)
  for (const [text, some] of groups) output.talk(`  ${text}: ${some.length}`)
  for (const each of refused) tellRefused(line, each)
}

function tellRefused(
  { locale, output }: CommandLine,
  { row, tag, id, event, msg }: Answered,
): void {
  const place = t(locale, 'cli.flow.file.row', { row })
  output.talk(`✗ ${place}  ${tag} ${id} ${event}  ${msg ?? ''}`)
}

/** @throws CommandError (usage) where nobody can be asked */
async function agree(line: CommandLine, n: number, isAgreed: boolean): Promise<boolean> {
  if (isAgreed) return true
  const { locale, signal } = line
  if (!line.interactive) throw toUsageFault(t(locale, 'cli.flow.file.needYes'))
  const question = `${t(locale, 'cli.flow.file.ask', { n })} [y/N] `
  return isYes(await askOnTerminal(question, signal))
}

function toUsageFault(message: string): CommandError {
  return new CommandError(exitCodes.usage, message)
}
