import { type EntityConfig, type EntryState, t } from '@jiaowu/api'
import type { CommandLine } from '../command-line.ts'
import { parseFilters } from '../entities/entity-query.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { type Api, connect } from '../session/connect.ts'
import { ask } from '../terminal/prompt.ts'

interface EntryFlags {
  readonly filter: readonly string[]
  readonly submit?: boolean
  readonly unlock?: boolean
  readonly reason?: string
  readonly yes?: boolean
}

/**
 * `entity entry TAG -f course=… -f term=…`: how far an entry sheet is, its submission and unlocking
 * (docs/rules/contract.md#entry-sheets). Its rows are entered with `entity grid`.
 */
export async function entrySheet(line: CommandLine, tag: string, flags: EntryFlags): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const config: EntityConfig = await api.entityData.config({ params: { tag }, signal })
  const names = config.entry?.by ?? []
  if (names.length === 0) throw new CommandError(exitCodes.refused, t(locale, 'entry.notHere'))
  const by = await parseFilters(api, config, flags.filter, locale)
  const missing = config.fields.filter(
    ({ attrName }) => names.includes(attrName) && !(attrName in by),
  )
  if (missing.length > 0)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'entry.choose', { labels: missing.map(({ uiLabel }) => uiLabel).join('、') }),
    )
  const state = await acted(line, api, tag, by, flags)
  output.data(state, () => linesOf(line, state))
}

async function acted(
  line: CommandLine,
  api: Api,
  tag: string,
  by: Record<string, unknown>,
  { submit, unlock, reason, yes }: EntryFlags,
): Promise<EntryState> {
  const { locale, signal } = line
  const params = { tag }
  if (unlock === true) {
    if (reason === undefined)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.entry.needReason'))
    return await api.entry.unlock({ params, body: { by, reason }, signal })
  }
  const state = await api.entry.read({ params, body: { by }, signal })
  if (submit !== true) return state
  await agreed(line, state, yes)
  return await api.entry.submit({ params, body: { by, entered: state.entered }, signal })
}

async function agreed(line: CommandLine, state: EntryState, yes: boolean | undefined) {
  const { locale, output, signal, interactive } = line
  if (yes === true) return
  if (!interactive) throw new CommandError(exitCodes.usage, t(locale, 'cli.entry.needYes'))
  for (const text of linesOf(line, state)) output.talk(text)
  const answer = await ask(`${t(locale, 'entry.submitTitle')}? [y/N] `, signal)
  if (!/^(y|yes|是)$/i.test(answer.trim()))
    throw new CommandError(exitCodes.interrupted, t(locale, 'cli.bulk.left'))
}

function linesOf({ locale }: CommandLine, { by, total, entered, locked }: EntryState): string[] {
  return [
    Object.values(by)
      .flatMap((items) => items.map(({ name }) => name))
      .join(' · '),
    total === 0 ? t(locale, 'entry.none') : t(locale, 'entry.progress', { entered, total }),
    ...(locked === null ? [] : [t(locale, 'entry.lockedBy', locked)]),
  ]
}
