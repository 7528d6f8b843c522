import { type EntityConfig, type EntryState, messageText, problemText, t } from '@jiaowu/api'
import {
  entryActors,
  entryApiPorts,
  type EntryBy,
  entrySheetMachine,
  type EntryView,
  entryView,
} from '@jiaowu/machines'
import { type ActorRefFrom, createActor, waitFor } from 'xstate'
import type { CommandLine } from '../command-line.ts'
import { entryLines } from '../entities/entry-lines.ts'
import { parseFilters } from '../entities/entity-query.ts'
import { CommandError, exitCodeOf, exitCodes } from '../exit.ts'
import { loadScreen } from '../screens/load-screen.ts'
import { type Api, connect, type Connection } from '../session/connect.ts'

interface EntryFlags {
  readonly filter: readonly string[]
  readonly submit?: boolean
  readonly unlock?: boolean
  readonly reason?: string
  readonly yes?: boolean
}
type EntryActor = ActorRefFrom<typeof entrySheetMachine>

/**
 * `entity entry TAG -f course=… -f term=…`: how far an entry sheet is, its submission and unlocking
 * (docs/rules/contract.md#entry-sheets). Its rows are entered with `entity grid`.
 */
export async function entrySheet(line: CommandLine, tag: string, flags: EntryFlags): Promise<void> {
  const { locale, output } = line
  const connection = connect(line)
  const by = await sheetOf(line, connection.api, tag, flags.filter)
  const actor = createActor(
    entrySheetMachine.provide({ actors: entryActors(entryApiPorts(connection.api)) }),
    { input: { tag, by } },
  )
  let isSaid = false
  actor.on('said', () => {
    isSaid = true
  })
  actor.start()
  try {
    await settled(line, actor)
    const state = await acted(line, connection, actor, flags)
    if ((flags.submit === true || flags.unlock === true) && !isSaid)
      throw new CommandError(exitCodes.interrupted, t(locale, 'cli.bulk.left'))
    output.data(state, () => [...entryLines(locale, state)])
  } finally {
    actor.stop()
  }
}

/** @throws CommandError without entry sheets, or when the filters do not name one */
async function sheetOf(
  { locale, signal }: CommandLine,
  api: Api,
  tag: string,
  filters: readonly string[],
): Promise<EntryBy> {
  const config: EntityConfig = await api.entityData.config({ params: { tag }, signal })
  const names = config.entry?.by ?? []
  if (names.length === 0) throw new CommandError(exitCodes.refused, t(locale, 'entry.notHere'))
  const given = await parseFilters(api, config, filters, locale)
  const by = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const [only, ...others] = [value].flat()
      return typeof only === 'string' && others.length === 0 ? [[name, only]] : []
    }),
  )
  const missing = config.fields.filter(
    ({ attrName }) => names.includes(attrName) && !(attrName in by),
  )
  if (missing.length > 0)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'entry.choose', { labels: missing.map(({ uiLabel }) => uiLabel).join('、') }),
    )
  return by
}

async function acted(
  line: CommandLine,
  connection: Connection,
  actor: EntryActor,
  { submit, unlock, reason, yes }: EntryFlags,
): Promise<EntryState> {
  const { locale, interactive } = line
  if (unlock === true) {
    if (reason === undefined && !interactive)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.entry.needReason'))
    ask(line, actor, 'unlock')
    if (reason === undefined) await onScreen(line, connection, actor)
    else {
      actor.send({ type: 'reason.change', reason })
      actor.send({ type: 'unlock.confirm' })
    }
  } else if (submit === true) {
    if (yes !== true && !interactive)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.entry.needYes'))
    ask(line, actor, 'submit')
    if (yes === true) actor.send({ type: 'submit.confirm' })
    else await onScreen(line, connection, actor)
  }
  return await settled(line, actor)
}

/** @throws CommandError with the reason why the sheet cannot be submitted or unlocked */
function ask({ locale }: CommandLine, actor: EntryActor, what: 'submit' | 'unlock'): void {
  const { can, state } = entryView(actor.getSnapshot())
  if (!can[what]) throw new CommandError(exitCodes.refused, t(locale, whyNot(what, state)))
  actor.send({ type: `${what}.ask` })
}

function whyNot(what: 'submit' | 'unlock', state: EntryState | null) {
  if (what === 'unlock') return state?.locked == null ? 'entry.notLocked' : 'problem.forbidden'
  if (state?.total === 0) return 'entry.none'
  if (state?.locked != null) return 'entry.alreadyLocked'
  return state?.entered === 0 ? 'entry.nothing' : 'problem.forbidden'
}

async function onScreen(line: CommandLine, connection: Connection, actor: EntryActor) {
  const { openEntry } = await loadScreen(line, () => import('../screens/entry/open-entry.tsx'))
  await openEntry(line, connection, actor)
}

/** The sheet once its calls are answered. @throws CommandError with what was refused */
async function settled({ locale, signal }: CommandLine, actor: EntryActor): Promise<EntryState> {
  const isWaiting = ({ step }: EntryView) =>
    ['reading', 'refreshing', 'submitting', 'unlocking'].includes(step)
  const { state, fault, problem } = entryView(
    await waitFor(actor, (snapshot) => !isWaiting(entryView(snapshot)), { signal }),
  )
  if (problem !== null) throw new CommandError(exitCodeOf(problem), problemText(locale, problem))
  if (fault !== null) throw new CommandError(exitCodes.refused, messageText(locale, fault))
  if (state === null) throw new CommandError(exitCodes.refused, t(locale, 'entry.notHere'))
  return state
}
