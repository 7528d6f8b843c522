// Earlier states of records, and the recycle bin (docs/rules/contract.md#entity-data).
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { stateAt, type HistoryEntry } from '@jiaowu/api/entity/definition/history'
import { joinRowIds } from '@jiaowu/api/row-id'
import type { Row } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import { patternName } from '@jiaowu/machines/buttons/question'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { cellText } from '../fields/index.ts'
import type { Api } from '../session/api.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'
import { readPageNumber } from '../terminal/numbers.ts'

/** `history TAG ID`: who changed a record, when, and from what to what. */
export async function showHistory(line: CommandLine, tag: string, id: string): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const [config, { entries, complete }] = await Promise.all([
    api.entityData.config({ params: { tag }, signal }),
    api.history.of({ params: { tag, id }, signal }),
  ])
  output.rows(entries, () => ({
    heads: (['id', 'at', 'by', 'action', 'changes'] as const).map((key) =>
      t(locale, `cli.history.${key}`),
    ),
    cells: entries.map((entry) => [
      entry.id,
      entry.at,
      formatAuthor(entry, line),
      t(locale, `cli.history.did.${entry.action}`),
      formatChanges(entry, config, line),
    ]),
  }))
  if (!complete) output.talk(t(locale, 'cli.history.partial'))
}

function formatAuthor({ user, agent }: HistoryEntry, { locale }: CommandLine): string {
  const who = user?.name ?? '-'
  return agent === undefined ? who : t(locale, 'history.byAgent', { agent, who })
}

function formatChanges(
  { changes }: HistoryEntry,
  { fields }: EntityConfig,
  { locale }: CommandLine,
): string {
  return changes
    .flatMap(({ attrName, from, to }) => {
      const field = fields.find((each) => each.attrName === attrName)
      if (field === undefined) return []
      return [`${field.uiLabel}: ${cellText(field, from, locale)} → ${cellText(field, to, locale)}`]
    })
    .join('; ')
}

interface RestoreFlags {
  readonly to?: string
  readonly yes?: boolean
}

/**
 * `restore TAG IDS…`: brings deleted records back, all or none. With `--to ENTRY` one record becomes again what it was
 * right after that change of its history.
 */
export async function restoreRows(
  line: CommandLine,
  tag: string,
  ids: readonly string[],
  flags: RestoreFlags,
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  if (flags.to !== undefined) {
    const [id, ...others] = ids
    if (id === undefined || others.length > 0)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.restore.one'))
    await restoreState(line, api, { tag, id, entryId: flags.to }, flags.yes)
    return
  }
  const done = await api.history.restore({ params: { tag, ids: joinRowIds(ids) }, signal })
  output.done(done, t(locale, 'cli.restore.done', { n: done.restored }))
}

async function restoreState(
  line: CommandLine,
  api: Api,
  { tag, id, entryId }: { readonly tag: string; readonly id: string; readonly entryId: string },
  isAgreed: boolean | undefined,
): Promise<void> {
  const { locale, output, signal } = line
  const [config, history] = await Promise.all([
    api.entityData.config({ params: { tag }, signal }),
    api.history.of({ params: { tag, id }, signal }),
  ])
  if (!history.entries.some((entry) => entry.id === entryId))
    throw new CommandError(exitCodes.refused, t(locale, 'cli.restore.noEntry', { id: entryId }))
  const then = stateAt(history, entryId)
  const changed = config.fields.filter(
    ({ attrName, isEdit }) =>
      isEdit === 1 && JSON.stringify(then[attrName]) !== JSON.stringify(history.row[attrName]),
  )
  for (const field of changed) {
    const [from, to] = [history.row, then].map((row) =>
      cellText(field, row[field.attrName], locale),
    )
    output.talk(`${field.uiLabel}: ${from} → ${to}`)
  }
  if (changed.length === 0) {
    output.done({ changed: 0 }, t(locale, 'cli.restore.same'))
    return
  }
  await confirmAct(line, t(locale, 'cli.restore.ask'), isAgreed)
  const row = await api.entityData.update({
    params: { tag, id },
    body: {
      ...Object.fromEntries(changed.map(({ attrName }) => [attrName, then[attrName] ?? null])),
      version: history.row['version'],
    },
    signal,
  })
  output.done(row, t(locale, 'cli.restore.state', { n: changed.length }))
}

interface RecycleFlags {
  readonly search?: string
  readonly page: string
}

/** `recycle ls TAG`: deleted records, the last deleted first. */
export async function listRecycled(
  line: CommandLine,
  tag: string,
  { search, page }: RecycleFlags,
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const pageNum = readPageNumber(page, locale)
  const config = await api.entityData.config({ params: { tag }, signal })
  const { records, total, keptDays } = await api.history.recycled({
    params: { tag },
    body: { pageNum, ...(search !== undefined && { searchKey: search }) },
    signal,
  })
  output.rows(records, () => ({
    heads: (['id', 'record', 'at', 'by'] as const).map((key) => t(locale, `cli.history.${key}`)),
    cells: records.map((row) => [
      row.id,
      describeRow(row, config, line),
      row.deletedAt,
      row.deletedBy ?? '-',
    ]),
  }))
  output.talk(t(locale, 'cli.page', { page: pageNum, total }))
  if (keptDays !== null) output.talk(t(locale, 'cli.recycle.kept', { n: keptDays }))
}

/** By the pattern of its entity, else its first columns. */
function describeRow(row: Row, config: EntityConfig, { locale }: CommandLine): string {
  const shown = config.fields
    .filter(({ isList, attrName }) => isList === 1 && row[attrName] !== undefined)
    .slice(0, 3)
    .map((field) => cellText(field, row[field.attrName], locale))
  return patternName(row, config) ?? shown.filter((text) => text !== '').join(' ')
}

/** `recycle purge TAG IDS…`: deletes for ever, with history and files. */
export async function purgeRecycled(
  line: CommandLine,
  tag: string,
  ids: readonly string[],
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  await confirmAct(line, t(locale, 'cli.recycle.ask', { n: ids.length }), yes)
  const done = await api.history.purge({
    params: { tag, ids: joinRowIds(ids) },
    body: { count: ids.length },
    signal,
  })
  output.done(done, t(locale, 'cli.recycle.purged', { n: done.purged }))
}
