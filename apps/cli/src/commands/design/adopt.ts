import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { adoptTablesActors } from '@jiaowu/machines/adopt-tables/ports'
import { adoptTablesApiPorts } from '@jiaowu/machines/adopt-tables/api-ports'
import { adoptTablesMachine } from '@jiaowu/machines/adopt-tables/machine'
import { adoptTablesView } from '@jiaowu/machines/adopt-tables/view'
import { type ActorRefFrom, createActor, waitFor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect, type Connection } from '../../session/connect.ts'
import { readPageNumber } from '../../terminal/numbers.ts'
import { adoptSheet, isSheetFile, type SheetFlags } from './adopt-sheet.ts'

export interface AdoptFlags extends SheetFlags {
  readonly schema?: readonly string[]
  /** Only tables whose names match. */
  readonly match?: string
  /** At most so many tables. */
  readonly first?: string
  /** The server keeps the columns that drafts propose. */
  readonly keep?: boolean
  /** Rows belong to the schools in `tenant_id`. */
  readonly school?: boolean
  /** Columns are relations where their names and values tell. */
  readonly links?: boolean
  /** Passwords are stored as typed. */
  readonly passwords?: boolean
  readonly yes?: boolean
}
type AdoptActor = ActorRefFrom<typeof adoptTablesMachine>

/**
 * `design adopt [tables...]`: brings tables in with menu entries, all or none: chosen on a screen, or
 * with `--yes` all that are named. Without tables, those of the schemas that have no entity. A file of a sheet
 * becomes a new table.
 */
export async function adoptTables(
  line: CommandLine,
  tables: readonly string[],
  flags: AdoptFlags,
): Promise<void> {
  const [only = '', ...more] = tables
  if (more.length === 0 && (await isSheetFile(only))) {
    await adoptSheet(line, only, flags)
    return
  }
  const { locale, interactive, output } = line
  if (!interactive && flags.yes !== true)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.design.adoptYes'))
  const connection = connect(line)
  const actor = actorFor(line, connection, tables, flags)
  try {
    const n =
      flags.yes === true ? await adoptAll(line, actor) : await onScreen(line, connection, actor)
    if (n === null) throw new CommandError(exitCodes.interrupted, t(locale, 'cli.leftForm'))
    const tags = adoptTablesView(actor.getSnapshot()).rows.flatMap(
      ({ isChosen, tag, table, name }) => (isChosen ? [{ tag, table, name }] : []),
    )
    output.rows(tags, () => ({
      heads: [t(locale, 'cli.col.tag'), t(locale, 'cli.design.table'), t(locale, 'cli.col.name')],
      cells: tags.map(({ tag, table, name }) => [tag, table, name]),
    }))
    output.talk(t(locale, 'designs.adopted', { n }))
  } finally {
    actor.stop()
  }
}

function actorFor(
  { signal, locale }: CommandLine,
  { api }: Connection,
  tables: readonly string[],
  { schema, match, first, keep, school, links, passwords }: AdoptFlags,
): AdoptActor {
  const ports = adoptTablesApiPorts(api)
  const either = (own: AbortSignal) => AbortSignal.any([own, signal])
  const actor = createActor(
    adoptTablesMachine.provide({
      actors: adoptTablesActors({
        tables: (input, own) => ports.tables(input, either(own)),
        draft: (input, own) => ports.draft(input, either(own)),
        adopt: (input, own) => ports.adopt(input, either(own)),
      }),
    }),
    {
      input: {
        ...(schema !== undefined && { schemas: schema }),
        ...(tables.length > 0 && { tables }),
        ...(match !== undefined && { match }),
        ...(first !== undefined && { first: readPageNumber(first, locale) }),
      },
    },
  )
  // The answers of flags, as soon as something is asked.
  const answered = actor.subscribe((snapshot) => {
    if (!snapshot.matches('choosing')) return
    answered.unsubscribe()
    if (keep === true) actor.send({ type: 'kept.choose', keeps: true })
    if (school === true) actor.send({ type: 'school.choose', owns: true })
    if (links === true) actor.send({ type: 'links.choose', relates: true })
    if (passwords === true) actor.send({ type: 'passwords.choose', writes: true })
  })
  return actor
}

async function onScreen(
  line: CommandLine,
  connection: Connection,
  actor: AdoptActor,
): Promise<number | null> {
  const { loadScreen } = await import('../../screens/load-screen.ts')
  const { openAdopt } = await loadScreen(line, () => import('../../screens/adopt/open-adopt.tsx'))
  return await openAdopt(line, connection, actor)
}

/** @throws CommandError with what the server says of each definition */
async function adoptAll({ output, locale }: CommandLine, actor: AdoptActor): Promise<number> {
  actor.start()
  const drafted = await waitFor(actor, (s) => s.matches('choosing') || s.matches('failed'), {
    timeout: Number.POSITIVE_INFINITY,
  })
  const { rows, refused } = adoptTablesView(drafted)
  for (const each of refused) output.talk(t(locale, 'designs.adoptRefused', { ...each }))
  for (const { table, leftOut, notes } of rows) {
    for (const { column, reason } of leftOut) output.talk(`${table}.${column}: ${reason}`)
    for (const note of notes) output.talk(`${table}: ${note}`)
  }
  assertDone(actor, locale)
  if (rows.length === 0) throw new CommandError(exitCodes.refused, t(locale, 'cli.design.noTables'))
  actor.send({ type: 'adopt.save' })
  await waitFor(actor, (s) => s.status === 'done' || s.matches('choosing'), {
    timeout: Number.POSITIVE_INFINITY,
  })
  assertDone(actor, locale)
  return rows.length
}

function assertDone(actor: AdoptActor, locale: CommandLine['locale']): void {
  const { problem, faults } = adoptTablesView(actor.getSnapshot())
  if (problem !== null)
    throw new CommandError(
      exitCodes.refused,
      faults.length > 0 ? faults.join('\n') : problemText(locale, problem),
    )
}
