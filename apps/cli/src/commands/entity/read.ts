import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldKinds, holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import type { GroupQuery, TableCell } from '@jiaowu/api/entity/list/list-query'
import {
  dimensionName,
  shownFigures,
  shownTitles,
  tableText,
} from '@jiaowu/machines/entity-list/table'
import { limits } from '@jiaowu/api/limits'
import { type ItemTone, type Row, shownEstimate, type WireValue } from '@jiaowu/api/entity/values'
import type { SavedView } from '@jiaowu/api/entity/list/view'
import type { Page } from '@jiaowu/api/entity/list/page'
import { t } from '@jiaowu/api/texts/index'
import { figureText, groupName } from '@jiaowu/machines/entity-list/figures'
import { patternName } from '@jiaowu/machines/buttons/question'
import type { Query } from '@jiaowu/machines/entity-list/conditions/conditions'
import { boundNames } from '@jiaowu/validation'
import type { CommandLine } from '../../command-line.ts'
import { connect, type Connection } from '../../session/connect.ts'
import {
  listColumns,
  findEntityField,
  parseFigures,
  buildTypedQuery,
  type TypedQuery,
} from '../../entities/entity-query.ts'
import { loadEntityTags } from '../../entities/entity-tags.ts'
import { viewNamed } from '../../entities/entity-view.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { cellText } from '../../fields/index.ts'

export interface QueryFlags extends TypedQuery {
  readonly columns?: string
  readonly view?: string
}
export interface ListFlags extends QueryFlags {
  readonly page?: string
  readonly size?: string
  readonly group?: string
  readonly having?: readonly string[]
  readonly orderGroups?: string
  readonly cross?: string
  readonly footer: readonly string[]
}

/** `entity ls`: the entities that the user may view. */
export async function listEntities(line: CommandLine): Promise<void> {
  const records = await loadEntityTags(connect(line).api, line.signal)
  line.output.rows(records, () => ({
    heads: [t(line.locale, 'cli.col.tag'), t(line.locale, 'cli.col.name')],
    cells: records.map(({ tag, name }) => [tag, name]),
  }))
}

/** `entity show TAG`: the fields that the user may see. */
export async function showEntity(line: CommandLine, tag: string): Promise<void> {
  const { api } = connect(line)
  const config = await api.entityData.config({ params: { tag }, signal: line.signal })
  if (line.output.json) {
    line.output.data(config, () => [])
    return
  }
  const { locale } = line
  line.output.talk(`${config.tag} ${config.name}`)
  line.output.rows(config.fields, () => ({
    heads: [
      t(locale, 'cli.col.attr'),
      t(locale, 'cli.col.label'),
      t(locale, 'cli.col.type'),
      t(locale, 'cli.col.query'),
      t(locale, 'cli.col.flags'),
      t(locale, 'cli.col.rules'),
    ],
    cells: config.fields.map((field) => [
      field.attrName,
      field.uiLabel,
      field.uiType,
      field.isQuery === 1 ? field.queryType : '',
      formatFieldUses(field),
      rulesOfField(field),
    ]),
  }))
}

function formatFieldUses(field: EntityConfig['fields'][number]): string {
  return [
    field.isList && 'list',
    field.isQuery && 'query',
    field.isDetail && 'detail',
    field.isAdd === 1 && 'add',
    field.isEdit === 1 && 'edit',
    field.isExport && 'export',
  ]
    .filter(Boolean)
    .join(' ')
}

function rulesOfField({ valids, options }: EntityConfig['fields'][number]): string {
  return [
    valids.required === true ? 'required' : '',
    (options.maxLength ?? valids.maxLength) ? `≤${options.maxLength ?? valids.maxLength}` : '',
    valids.minLength === undefined ? '' : `≥${valids.minLength}`,
    ...boundNames.map((name) => (valids[name] === undefined ? '' : `${name}=${valids[name]}`)),
    valids.type ?? '',
  ]
    .filter((word) => word !== '')
    .join(' ')
}

/**
 * `entity list TAG`: one page, or the groups of all records with `--group`; `--json` gives them as ndjson.
 * Figures of `--footer` are printed beside them.
 */
export async function listRows(line: CommandLine, tag: string, flags: ListFlags): Promise<void> {
  const { locale, output, signal } = line
  const connection = connect(line)
  const { api } = connection
  const [pageNum, pageSize] = [
    wholeNumber(flags.page ?? '1', line, 1_000_000),
    wholeNumber(flags.size ?? '20', line, limits.maxPageSize),
  ]
  const config = await api.entityData.config({ params: { tag }, signal })
  const view = await viewNamed(line, api, tag, flags.view)
  const columns = listColumns(config, flags.columns ?? view?.columns?.join(','), locale)
  assertListed(line, config, flags, columns)
  const query = await buildTypedQuery(api, config, flags, view, locale)
  if (isLivedIn(line, flags, view?.group?.table !== undefined)) {
    await openOnScreen(line, connection, { tag, query, columns, view })
    return
  }
  const { queries, sorts, where } = query
  const figures = parseFigures(config, flags, view, locale)
  const body = {
    pageNum,
    pageSize,
    sorts: [...sorts],
    queries: { ...queries },
    where,
    ...figures,
  }
  const page = await api.entityData.page({ params: { tag }, body, signal })
  if (figures.group?.table !== undefined) {
    printTable(line, config, page, figures.group)
    output.talk(t(locale, 'cli.groups', { page: page.current, total: page.total ?? 0 }))
    return
  }
  if (figures.group !== undefined) printGroups(line, config, page, figures.group)
  else printRows(line, page, flags.columns === undefined ? null : columns, columns)
  if (output.json && flags.footer.length > 0)
    output.object({ total: page.total, footer: page.footer })
  printFigures(line, config, page)
  await printTotal(line, api, tag, body, page)
}

/** @throws CommandError (usage) for a named column that lists do not show */
function assertListed(
  { locale }: CommandLine,
  { idField }: EntityConfig,
  flags: ListFlags,
  columns: readonly Field[],
): void {
  const unlisted = columns.find(({ attrName, isList }) => isList !== 1 && attrName !== idField)
  if (flags.columns !== undefined && unlisted !== undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.notListed', { field: unlisted.uiLabel }))
}

type Api = ReturnType<typeof connect>['api']
type PageBody = NonNullable<Parameters<Api['entityData']['count']>[0]['body']>

/** The page and the number of rows that match, counted where the server estimated it. */
async function printTotal(
  { locale, output, signal }: CommandLine,
  api: Api,
  tag: string,
  body: PageBody,
  page: Page,
): Promise<void> {
  const exact =
    page.totalIsEstimate === true ? await countExactly(api, tag, body, signal) : page.total
  output.talk(
    exact === null && page.totalIsEstimate === true
      ? t(locale, 'cli.pageAbout', { page: page.current, total: shownEstimate(page.total ?? 0) })
      : t(locale, 'cli.page', { page: page.current, total: exact ?? 0 }),
  )
}

/**
 * Whether the list opens as a screen: a person is at the terminal, and no option asks for a page or
 * for groups and figures in print.
 */
function isLivedIn(
  { interactive, output }: CommandLine,
  flags: ListFlags,
  isTable: boolean,
): boolean {
  const isPrinted =
    flags.page !== undefined ||
    flags.size !== undefined ||
    flags.group !== undefined ||
    flags.cross !== undefined ||
    flags.footer.length > 0
  return interactive && output.toTerminal && !output.json && !isPrinted && !isTable
}

async function openOnScreen(
  line: CommandLine,
  connection: Connection,
  subject: {
    readonly tag: string
    readonly query: Query
    readonly columns: readonly Field[]
    readonly view: SavedView | null
  },
): Promise<void> {
  const { loadScreen } = await import('../../screens/load-screen.ts')
  const { openList } = await loadScreen(line, () => import('../../screens/list/open-list.tsx'))
  await openList(line, connection, {
    ...subject,
    columns: subject.columns.map(({ attrName }) => attrName),
    formatRecord: (config, row) => [`id: ${row.id}`, ...formatRowLines(config, row, line)],
  })
}

/** The exact number of rows behind an estimate; null when it cannot be counted. */
async function countExactly(
  api: Api,
  tag: string,
  body: PageBody,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return (await api.entityData.count({ params: { tag }, body, signal })).total
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}

/** Figures over all rows, one a line. */
function printFigures({ locale, output }: CommandLine, config: EntityConfig, page: Page): void {
  for (const figure of page.footer ?? []) {
    const field = findEntityField(config, figure.column, locale)
    output.talk(
      `${field.uiLabel} ${t(locale, `figure.${figure.fn}`)} ${figureText(figure, field, locale)}`,
    )
  }
}

/** A table of groups, with its totals as the last line or the last object. */
function printTable(
  { locale, output }: CommandLine,
  config: EntityConfig,
  { table }: Page,
  group: GroupQuery,
): void {
  if (table === undefined) return
  const { across } = group.table ?? {}
  const places = shownFigures(group)
  const titles = shownTitles(config, group, locale)
  const heads =
    across === undefined
      ? titles
      : [...table.heads.map((head) => dimensionName(config, across, head, locale)), null].flatMap(
          (head) =>
            titles.map((title) => {
              const name = head ?? t(locale, 'table.total')
              return titles.length === 1 ? name : `${name} ${title}`
            }),
        )
  const cells = (inner: readonly (TableCell | null)[], all: TableCell) =>
    [...inner, all].flatMap((cell) =>
      places.map((place) => tableText(config, group, cell, place, locale)),
    )
  output.rows(
    [...table.rows, { total: true, cells: table.totals, all: table.all, heads: table.heads }],
    () => ({
      heads: [findEntityField(config, group.column, locale).uiLabel, ...heads],
      cells: [
        ...table.rows.map(({ value, cells: inner, all }) => [
          dimensionName(config, group, value, locale),
          ...cells(inner, all),
        ]),
        [t(locale, 'table.total'), ...cells(table.totals, table.all)],
      ],
    }),
  )
}

function printGroups(
  { locale, output }: CommandLine,
  config: EntityConfig,
  { groups = [], moreGroups }: Page,
  { column }: GroupQuery,
): void {
  const field = findEntityField(config, column, locale)
  output.rows(groups, () => ({
    heads: [field.uiLabel, t(locale, 'figure.count')],
    cells: groups.map(({ value, count }) => [groupName(value, field, locale), String(count)]),
  }))
  if (moreGroups === true) output.talk(t(locale, 'group.more', { n: limits.maxGroups }))
}

/** @param asked the columns that the user named, to which JSON is limited; null: none */
function printRows(
  { locale, output }: CommandLine,
  page: Page,
  asked: readonly Field[] | null,
  columns: readonly Field[],
): void {
  const pick = (row: Row) => ({
    id: row.id,
    ...Object.fromEntries((asked ?? []).map(({ attrName }) => [attrName, row[attrName]])),
  })
  output.rows(asked === null ? page.records : page.records.map(pick), () => ({
    heads: ['id', ...columns.map((field) => field.uiLabel)],
    cells: page.records.map((row) => [
      row.id,
      ...columns.map((field) => cellText(field, row[field.attrName], locale)),
    ]),
    toneAt: (row, column) => {
      const field = columns[column - 1]
      return field === undefined ? undefined : readTone(field, page.records[row]?.[field.attrName])
    },
  }))
}

/** The tone of a single choice; several have none of their own. */
function readTone({ dictData }: Field, value: WireValue | undefined): ItemTone | undefined {
  const [item, ...others] = Array.isArray(value) ? value : []
  if (typeof item !== 'object' || others.length > 0) return undefined
  return item.tone ?? dictData?.find(({ id }) => id === item.id)?.tone
}

function wholeNumber(text: string, { locale }: CommandLine, most: number): number {
  const n = Number(text)
  if (!Number.isInteger(n) || n < 1 || n > most)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badNumber', { value: text, most }))
  return n
}

/** `entity get TAG ID`. */
export async function getRow(line: CommandLine, tag: string, id: string): Promise<void> {
  const { api } = connect(line)
  const [config, row] = await Promise.all([
    api.entityData.config({ params: { tag }, signal: line.signal }),
    api.entityData.get({ params: { tag, id }, signal: line.signal }),
  ])
  // A title pattern names the record before its fields.
  const name = patternName(row, config)
  line.output.data(row, () => [
    ...(name === null ? [] : [name]),
    `id: ${row.id}`,
    ...formatRowLines(config, row, line),
  ])
}

/** The fields of a record that hold values, one line each. */
export function formatRowLines(config: EntityConfig, row: Row, { locale }: CommandLine): string[] {
  return config.fields
    .filter(
      (field) =>
        holdsValue(field.uiType) &&
        fieldKinds[field.uiType] !== fieldKinds.password &&
        row[field.attrName] !== undefined,
    )
    .map((field) => {
      const blank = findKind(field.uiType).family === 'flag' ? '' : '-'
      return `${field.uiLabel}: ${cellText(field, row[field.attrName], locale) || blank}`
    })
}
