import { ApiProblem } from '@jiaowu/api/problem'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import { type Message, messageText, t } from '@jiaowu/api/texts/index'
import type { Values } from '@jiaowu/api/entity/values'
import { entryActors, type EntryBy } from '@jiaowu/machines/entry-sheet/ports'
import { entryApiPorts } from '@jiaowu/machines/entry-sheet/api-ports'
import { entrySheetMachine } from '@jiaowu/machines/entry-sheet/machine'
import { type EntryView, entryView } from '@jiaowu/machines/entry-sheet/view'
import { type ActorRefFrom, createActor, waitFor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { entryLines } from '../../entities/entry-lines.ts'
import { parseFilters } from '../../entities/entity-query.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { loadScreen } from '../../screens/load-screen.ts'
import { connect, type Connection } from '../../session/connect.ts'
import type { Api } from '../../session/api.ts'

interface EntryFlags {
  readonly filter: readonly string[]
  /** Conditions of the records to add rows for; `[]`: asked for on a terminal. */
  readonly add?: readonly string[] | true
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
  const { by, config } = await findSheet(line, connection.api, tag, flags.filter)
  const actor = createActor(
    entrySheetMachine.provide({ actors: entryActors(entryApiPorts(connection.api)) }),
    { input: { tag, by } },
  )
  let said: Message | null = null
  actor.on('said', ({ message }) => {
    said = message
  })
  actor.start()
  try {
    await waitForEntry(line, actor)
    const state = await runEntryActions(line, { connection, actor, config }, flags)
    if (
      (flags.add !== undefined || flags.submit === true || flags.unlock === true) &&
      said === null
    )
      throw new CommandError(exitCodes.interrupted, t(locale, 'cli.bulk.left'))
    output.data(state, () => [...entryLines(locale, state)])
    if (flags.add !== undefined) tellAdded(line, said, entryView(actor.getSnapshot()))
  } finally {
    actor.stop()
  }
}

/** @throws CommandError without entry sheets, or when the filters do not name one */
async function findSheet(
  { locale, signal }: CommandLine,
  api: Api,
  tag: string,
  filters: readonly string[],
): Promise<{ readonly by: EntryBy; readonly config: EntityConfig }> {
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
    ({ attrName }) => names.includes(attrName) && !Object.hasOwn(by, attrName),
  )
  if (missing.length > 0)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'entry.choose', { labels: missing.map(({ uiLabel }) => uiLabel).join('、') }),
    )
  return { by, config }
}

interface Sheet {
  readonly connection: Connection
  readonly actor: EntryActor
  readonly config: EntityConfig
}

async function runEntryActions(
  line: CommandLine,
  sheet: Sheet,
  flags: EntryFlags,
): Promise<EntryState> {
  const { locale, interactive } = line
  const { actor } = sheet
  const { add, submit, unlock, reason, yes } = flags
  if (add !== undefined) await addRows(line, sheet, add === true ? [] : add)
  else if (unlock === true) {
    if (reason === undefined && !interactive)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.entry.needReason'))
    requestEntryAction(line, actor, 'unlock')
    if (reason === undefined) await onScreen(line, sheet)
    else {
      actor.send({ type: 'reason.change', reason })
      actor.send({ type: 'unlock.confirm' })
    }
  } else if (submit === true) {
    if (yes !== true && !interactive)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.entry.needYes'))
    requestEntryAction(line, actor, 'submit')
    if (yes === true) actor.send({ type: 'submit.confirm' })
    else await onScreen(line, sheet)
  }
  return await waitForEntry(line, actor)
}

/** Adds a row for each related record that matches the conditions, which a terminal asks for. */
async function addRows(line: CommandLine, sheet: Sheet, conditions: readonly string[]) {
  const { locale, signal } = line
  const { add } = sheet.config.entry ?? {}
  if (add === undefined)
    throw new CommandError(exitCodes.refused, t(locale, 'cli.entry.noAddition'))
  if (conditions.length === 0 && !line.interactive)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.entry.needAdd', { field: add.from[0] ?? '' }),
    )
  requestEntryAction(line, sheet.actor, 'add')
  if (conditions.length === 0) return await onScreen(line, sheet)
  const { api } = sheet.connection
  const related = await api.entityData.config({ params: { tag: add.tag }, signal })
  const from = (await parseFilters(api, related, conditions, locale)) as Values
  sheet.actor.send({ type: 'add.change', from })
  sheet.actor.send({ type: 'add.confirm' })
}

/** Tells how many rows were added; the records that got no row end the command as done in part. */
function tellAdded({ locale, output }: CommandLine, said: Message | null, { refused }: EntryView) {
  if (said !== null) output.talk(messageText(locale, said))
  if (refused === null) return
  for (const { name, msg } of refused.refused) output.talk(`${name}: ${msg}`)
  throw new CommandError(exitCodes.partial, t(locale, 'entry.refused', { n: refused.refusals }))
}

type Question = 'add' | 'submit' | 'unlock'

/** @throws CommandError with the reason why the sheet cannot be added to, submitted or unlocked */
function requestEntryAction({ locale }: CommandLine, actor: EntryActor, what: Question): void {
  const { can, state } = entryView(actor.getSnapshot())
  if (!can[what]) throw new CommandError(exitCodes.refused, t(locale, whyNot(what, state)))
  actor.send({ type: `${what}.ask` })
}

function whyNot(what: Question, state: EntryState | null) {
  if (what === 'add') return state?.locked == null ? 'problem.forbidden' : 'entry.alreadyLocked'
  if (what === 'unlock') return state?.locked == null ? 'entry.notLocked' : 'problem.forbidden'
  if (state?.total === 0) return 'entry.none'
  if (state?.locked != null) return 'entry.alreadyLocked'
  return state?.entered === 0 ? 'entry.nothing' : 'problem.forbidden'
}

async function onScreen(line: CommandLine, { connection, actor, config }: Sheet) {
  const { openEntry } = await loadScreen(line, () => import('../../screens/entry/open-entry.tsx'))
  await openEntry(line, connection, actor, config)
}

/** The sheet once its calls are answered. @throws CommandError with what was refused */
async function waitForEntry(
  { locale, signal }: CommandLine,
  actor: EntryActor,
): Promise<EntryState> {
  const { state, fault, problem } = entryView(
    await waitFor(actor, (snapshot) => !entryView(snapshot).isWaiting, { signal }),
  )
  if (problem !== null) throw new ApiProblem(problem)
  if (fault !== null) throw new CommandError(exitCodes.refused, messageText(locale, fault))
  if (state === null) throw new CommandError(exitCodes.refused, t(locale, 'entry.notHere'))
  return state
}
