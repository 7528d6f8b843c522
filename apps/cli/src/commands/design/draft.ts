import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import {
  keptNames,
  withKept,
  withLinks,
  withPasswords,
  withSchool,
} from '@jiaowu/api/entity/definition/kept-fields'
import { portableEntity } from '@jiaowu/api/entity/definition/portable'
import { t } from '@jiaowu/api/texts/index'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { connect } from '../../session/connect.ts'
import { askOnTerminal, isYes } from '../../terminal/prompt.ts'
import { jsonText } from '../../terminal/terminal-text.ts'

export interface DraftFlags {
  readonly schema?: readonly string[]
  readonly output: string
  /** The server keeps the columns that drafts propose, without asking. */
  readonly keep?: boolean
  /** Rows belong to the schools in `tenant_id`, without asking. */
  readonly school?: boolean
  /** Columns are relations where their names and values tell, without asking. */
  readonly links?: boolean
  /** Passwords are stored as typed, without asking. */
  readonly passwords?: boolean
}

/**
 * `design draft [tables...]`: writes a first definition of each table, for `design lint` and
 * `design apply`. Without tables, of all tables of the schemas that have no entity.
 */
export async function draftDesign(
  line: CommandLine,
  tables: readonly string[],
  { schema, output: dir, keep, school: isSchool, links: isLinked, passwords: typed }: DraftFlags,
): Promise<void> {
  const { api } = connect(line)
  const { drafts, refused } = await api.design.draftAll({
    body: {
      ...(schema !== undefined && schema.length > 0 && { schemas: [...schema] }),
      ...(tables.length > 0 && { tables: [...tables] }),
    },
    signal: line.signal,
  })
  for (const { schema: in_, name, reason } of refused) line.output.talk(`${in_}.${name}: ${reason}`)
  if (drafts.length === 0)
    throw new CommandError(exitCodes.refused, t(line.locale, 'cli.design.noTables'))
  const relates = isLinked ?? (await asksToRelate(line, drafts))
  const keeps = keep ?? (await asksToKeep(line, drafts))
  const owns = isSchool ?? (await asksForSchool(line, drafts))
  const writes = typed ?? (await asksForPasswords(line, drafts))
  await mkdir(dir, { recursive: true })
  const written: { tag: string; table: string; file: string; notes: readonly string[] }[] = []
  for (const draft of drafts) {
    const { schema: in_, name, leftOut, notes } = draft
    const definition = answeredDefinition(draft, { relates, keeps, owns, writes })
    const file = join(dir, `${definition.tag}.json`)
    await writeFile(file, `${jsonText(portableEntity(definition), 2)}\n`)
    const table = `${in_}.${name}`
    for (const { column, reason } of leftOut) line.output.talk(`${table}.${column}: ${reason}`)
    for (const note of notes) line.output.talk(`${table}: ${note}`)
    written.push({ tag: definition.tag, table, file, notes })
  }
  line.output.rows(written, () => ({
    heads: [t(line.locale, 'cli.col.tag'), t(line.locale, 'cli.design.table')],
    cells: written.map(({ tag, table }) => [tag, table]),
  }))
  line.output.talk(t(line.locale, 'cli.design.drafted', { n: written.length, dir }))
}

function answeredDefinition(
  { definition, kept, school, links, passwords = [] }: TableDrafts['drafts'][number],
  {
    relates,
    keeps,
    owns,
    writes,
  }: {
    readonly relates: boolean
    readonly keeps: boolean
    readonly owns: boolean
    readonly writes: boolean
  },
): EntityDefinition {
  const related = relates && links ? withLinks(definition, links) : definition
  const stamped = keeps && kept ? withKept(related, kept) : related
  const own = owns && school ? withSchool(stamped, school.attrName) : stamped
  return writes ? withPasswords(own, passwords) : own
}

/** One question for all tables, with the columns and where they point. */
async function asksToRelate(
  { interactive, locale, output, signal }: CommandLine,
  drafts: TableDrafts['drafts'],
): Promise<boolean> {
  const proposed = drafts.filter(({ links }) => links)
  if (proposed.length === 0 || !interactive) return false
  for (const { definition, links, schema, name } of proposed) {
    const before = new Map(definition.fields.map((field) => [field.attrName, field.dictValue]))
    const columns = (links?.fields ?? []).flatMap(({ attrName, columnName, dictValue }) =>
      dictValue === null || dictValue === before.get(attrName)
        ? []
        : [`${columnName} → ${dictValue}`],
    )
    output.talk(`${schema}.${name}: ${columns.join(', ')}`)
  }
  return isYes(await askOnTerminal(t(locale, 'cli.design.askLinks'), signal))
}

/** One question for all tables; off a terminal nothing is kept that no flag asks for. */
async function asksToKeep(
  { interactive, locale, output, signal }: CommandLine,
  drafts: TableDrafts['drafts'],
): Promise<boolean> {
  const proposed = drafts.filter(({ kept }) => kept)
  if (proposed.length === 0 || !interactive) return false
  for (const { definition, kept, schema, name } of proposed) {
    const names = new Set(keptNames(kept ?? {}))
    const columns = definition.fields.flatMap(({ attrName, columnName }) =>
      names.has(attrName) ? [columnName ?? ''] : [],
    )
    output.talk(`${schema}.${name}: ${columns.join(', ')}`)
  }
  return isYes(await askOnTerminal(t(locale, 'cli.design.askKeep'), signal))
}

/** One question for all tables, with the rows that would stay visible. */
async function asksForSchool(
  { interactive, locale, output, signal }: CommandLine,
  drafts: TableDrafts['drafts'],
): Promise<boolean> {
  const proposed = drafts.filter(({ school }) => school)
  if (proposed.length === 0 || !interactive) return false
  for (const { school, schema, name } of proposed)
    output.talk(
      t(locale, 'cli.design.schoolRows', {
        table: `${schema}.${name}`,
        rows: school?.rows ?? t(locale, 'designs.adoptUnknown'),
      }),
    )
  return isYes(await askOnTerminal(t(locale, 'cli.design.askSchool'), signal))
}

/** One question for all tables, with the columns. */
async function asksForPasswords(
  { interactive, locale, output, signal }: CommandLine,
  drafts: TableDrafts['drafts'],
): Promise<boolean> {
  const proposed = drafts.filter(({ passwords = [] }) => passwords.length > 0)
  if (proposed.length === 0 || !interactive) return false
  for (const { passwords = [], schema, name } of proposed)
    output.talk(`${schema}.${name}: ${passwords.map(({ columnName }) => columnName).join(', ')}`)
  return isYes(await askOnTerminal(t(locale, 'cli.design.askPasswords'), signal))
}
