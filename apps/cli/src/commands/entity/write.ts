import { createRequest } from '@jiaowu/api/client/create-request'
import type { EntityConfig, FormMode } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { Pair } from '@jiaowu/api/texts/group'
import { t } from '@jiaowu/api/texts/index'
import { joinRowIds, splitRowIds } from '@jiaowu/api/row-id'
import { listNames, namedRows } from '@jiaowu/machines/buttons/names'
import { recordName } from '@jiaowu/machines/buttons/question'
import type { CommandLine } from '../../command-line.ts'
import { connect, type Connection } from '../../session/connect.ts'
import type { Api } from '../../session/api.ts'
import { parseValues } from '../../entities/entity-query.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { objectFrom } from '../../files/json-file.ts'
import { askOnTerminal, isYes } from '../../terminal/prompt.ts'

interface WriteFlags {
  readonly set: readonly string[]
  readonly from?: string
}

/** `entity add TAG`: by `--set` and `--from`, or field by field on a terminal. */
export async function addRow(line: CommandLine, tag: string, flags: WriteFlags): Promise<void> {
  const connection = connect(line)
  const { api } = connection
  if (flags.set.length === 0 && flags.from === undefined) {
    await fillForm(line, connection, 'add', tag, null)
    return
  }
  const [config, newId] = await Promise.all([
    api.entityData.config({ params: { tag }, signal: line.signal }),
    api.session.generateId({ signal: line.signal }),
  ])
  // `--from` may hold the output of `entity get --json`: a new row gets its own id and version.
  const {
    id: _id,
    version: _version,
    ...values
  } = (await givenValues(line, api, config, flags)) ?? {}
  reportSaved(
    line,
    await api.entityData.create({
      params: { tag },
      ...createRequest(config, values, newId),
      signal: line.signal,
    }),
    'add',
  )
}

async function fillForm(
  line: CommandLine,
  connection: Connection,
  mode: FormMode,
  tag: string,
  id: string | null,
): Promise<void> {
  if (!line.interactive) throw new CommandError(exitCodes.usage, t(line.locale, 'cli.needValues'))
  const { loadScreen } = await import('../../screens/load-screen.ts')
  const { openForm } = await loadScreen(line, () => import('../../screens/open-form.tsx'))
  const row = await openForm(line, connection, tag, id)
  if (row === null) throw new CommandError(exitCodes.interrupted, t(line.locale, 'cli.leftForm'))
  reportSaved(line, row, mode)
}

function reportSaved({ output, locale }: CommandLine, row: Row, mode: FormMode) {
  return output.done(
    row,
    `${t(locale, mode === 'add' ? 'form.added' : 'form.modified')}: ${row.id}`,
    row.id,
  )
}

/** The values of `--from`, overridden by those of `--set`; null without either. */
async function givenValues(
  line: CommandLine,
  api: Api,
  config: EntityConfig,
  { set, from }: WriteFlags,
  stored: Row | null = null,
): Promise<Record<string, unknown> | null> {
  if (set.length === 0 && from === undefined) return null
  const loaded = from === undefined ? {} : await objectFrom(from, line)
  return {
    ...loaded,
    ...(await parseValues(api, config, set, line.locale, { ...stored, ...loaded })),
  }
}

const isSameJson = (a: unknown, b: unknown) =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/**
 * `entity edit TAG ID`: sends the values that differ, with the version of the record they were
 * compared with.
 */
export async function editRow(
  line: CommandLine,
  tag: string,
  id: string,
  flags: WriteFlags,
): Promise<void> {
  const connection = connect(line)
  const { api } = connection
  if (flags.set.length === 0 && flags.from === undefined) {
    await fillForm(line, connection, 'edit', tag, id)
    return
  }
  const [config, row] = await Promise.all([
    api.entityData.config({ params: { tag }, signal: line.signal }),
    api.entityData.get({ params: { tag, id }, signal: line.signal }),
  ])
  const {
    id: otherId,
    version = row.version,
    ...values
  } = (await givenValues(line, api, config, flags, row)) ?? {}
  if (otherId !== undefined && otherId !== id)
    throw new CommandError(exitCodes.usage, t(line.locale, 'cli.otherId', { id: String(otherId) }))
  const changes = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSameJson(value, row[name])),
  )
  if (Object.keys(changes).length === 0) {
    line.output.done(row, t(line.locale, 'cli.nothingChanged'), row.id)
    return
  }
  reportSaved(
    line,
    await api.entityData.update({
      params: { tag, id },
      body: { ...changes, ...(version === undefined ? {} : { version }) } as Record<
        string,
        WireValue
      >,
      signal: line.signal,
    }),
    'edit',
  )
}

/** Ids of several columns are taken as lists print them: what looks encoded in them is part of the id. */
function listedIds(text: string): readonly string[] {
  return text.split(',').flatMap((each) => splitRowIds(each, each.includes('~') ? 2 : 1))
}

/** The names of the first records, for what is said before and after a deletion; their ids where unread. */
async function loadRecordNames(
  api: Api,
  tag: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Pair> {
  const config = await api.entityData.config({ params: { tag }, signal })
  const names: string[] = []
  for (const id of ids.slice(0, namedRows)) {
    const row = await api.entityData.get({ params: { tag, id }, signal }).catch(() => null)
    names.push(row === null ? id : recordName(row, config))
  }
  return listNames(names, ids.length)
}

/** `entity rm TAG ID...`: deletes all of the records or none. */
export async function removeRows(
  line: CommandLine,
  tag: string,
  ids: readonly string[],
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const wanted = [...new Set(ids.flatMap(listedIds))]
  if (wanted.length > limits.maxDeleteIds)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.tooManyIds', { most: limits.maxDeleteIds }),
    )
  const { api } = connect(line)
  if (yes !== true && !line.interactive)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.needYes'))
  // Read before the records are gone; JSON needs no names.
  const names = output.json ? listNames(wanted) : await loadRecordNames(api, tag, wanted, signal)
  if (yes !== true) {
    const answer = await askOnTerminal(
      t(locale, 'cli.askDelete', { count: wanted.length, tag, names }),
      signal,
    )
    if (!isYes(answer)) throw new CommandError(exitCodes.interrupted, t(locale, 'cli.notDeleted'))
  }
  const { deleted } = await api.entityData.remove({
    params: { tag, ids: joinRowIds(wanted) },
    signal,
  })
  output.done({ deleted }, t(locale, 'cli.deleted', { names }))
}
