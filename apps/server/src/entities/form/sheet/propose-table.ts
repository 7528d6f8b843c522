// A table for a sheet that fits no entity: what its columns hold, and what they could be.
import { cutText } from '@jiaowu/api/cut-text'
import type { ProposedColumn, SheetProposal } from '@jiaowu/api/entity/definition/sheet'
import { proposedPii } from '@jiaowu/api/pii'
import type { PiiKind } from '@jiaowu/api/entity/enums'
import type { SheetColumnInfo } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import { entityName, type LoadedEntity } from '../../../model/definition/loaded.ts'
import { accessTo } from '../../../access/access.ts'
import { cellText, type RawRow } from '../../sheets/read/model.ts'
import { chooseFreeTable, freeName } from '../free-names.ts'
import { findHeading } from '../../import/rows/heading.ts'
import { shownCell } from '../../import/rows/personal.ts'
import { sheetStride } from '../../jobs/job.ts'
import { assertMayMake } from '../change-table.ts'
import { listTargets } from '../relation-targets.ts'
import { serverColumnNames } from '../table-statements.ts'
import { chooseKind, chooseSize, codeHeading, listFittingKinds } from './choose-kind.ts'
import { addCell, type ColumnFacts, createFacts, triedKinds } from './column-facts.ts'
import { findDictionaries } from './find-dictionary.ts'
import { type AskedSheet, type OpenedSheet, withSheet } from './open-sheet.ts'
import { findRelations, type Related } from './relate.ts'

/** A column with what was found of it. */
interface Seen {
  readonly info: SheetColumnInfo
  readonly facts: ColumnFacts
  readonly pii: PiiKind | null
}

/** @throws Refusal 403 without `entity:adopt`; Invalid for a file that cannot be read */
export async function proposeTable(
  context: Context,
  file: Blob,
  asked: AskedSheet,
): Promise<SheetProposal> {
  assertMayMake(context)
  return await withSheet(context, file, asked, async (sheet) => {
    const { seen, rows } = await readFacts(sheet)
    const targets = await listTargets(context)
    const columns = await proposeColumns(context, seen, targets, rows)
    const name = chooseName(sheet)
    const names = await chooseFreeTable(context, name)
    return {
      name,
      ...names,
      sheet: sheet.sheet,
      heading: sheet.heading,
      sheets: [...sheet.sheets],
      preview: showPreview(sheet, seen),
      rows,
      columns,
      targets: targets.map((entity) => ({
        tag: entity.tag,
        name: entityName(entity, context.locale),
      })),
      notes: listNotes(context, sheet),
      fits: await findFitting(context, sheet),
    }
  })
}

async function readFacts(
  sheet: OpenedSheet,
): Promise<{ readonly seen: readonly Seen[]; readonly rows: number }> {
  const facts = new Map(sheet.columns.map(({ column }) => [column, createFacts()]))
  let rows = 0
  for await (const chunk of sheet.rows) {
    rows += chunk.length
    for (const { cells } of chunk)
      for (const [column, its] of facts) addCell(its, cells[column - 1] ?? null, sheet.from1904)
    // Lists are served meanwhile.
    await new Promise(setImmediate)
  }
  const seen = sheet.columns.map((info) => ({
    info,
    facts: facts.get(info.column) ?? createFacts(),
    pii: proposedPii({ columnName: null, attrName: '', columnComment: null, uiLabel: info.header }),
  }))
  return { seen, rows }
}

async function proposeColumns(
  context: Context,
  seen: readonly Seen[],
  targets: readonly LoadedEntity[],
  rows: number,
): Promise<ProposedColumn[]> {
  const { locale } = context
  const kinds = new Map(
    seen.map(({ info, facts, pii }) => [info.column, chooseKind(info.header, facts, pii !== null)]),
  )
  const related = await findRelations(
    context,
    targets,
    seen.flatMap(({ info, facts, pii }) =>
      mayRelate(kinds.get(info.column), facts, pii)
        ? [{ column: info.column, header: info.header, facts }]
        : [],
    ),
  )
  const dictionaries = await findDictionaries(
    context,
    seen.flatMap(({ info, facts }) =>
      kinds.get(info.column) === 'choice' || kinds.get(info.column) === 'flag'
        ? [{ column: info.column, values: [...facts.values.keys()] }]
        : [],
    ),
  )
  const taken = { names: new Set(serverColumnNames), labels: new Set<string>() }
  const key = chooseKey(seen, rows)
  return seen.map(({ info, facts, pii }): ProposedColumn => {
    const relation = related.get(info.column) ?? null
    const whole = relation?.whole ?? null
    const dictionary = whole === null ? (dictionaries.get(info.column) ?? null) : null
    const kind =
      whole === null
        ? dictionary === null
          ? (kinds.get(info.column) ?? 'text')
          : 'choice'
        : 'relation'
    const label = freeLabel(
      info.header === '' ? t(locale, 'made.column', { letter: info.letter }) : info.header,
      taken.labels,
    )
    const isKey = key === info.column
    return {
      column: info.column,
      letter: info.letter,
      label,
      columnName: freeName(label, taken.names),
      kind,
      ...chooseSize(facts, pii !== null),
      ...(whole !== null && { target: whole.tag }),
      ...(dictionary !== null && { dictionary }),
      ...(isKey && { unique: true, required: true }),
      isLeft: isSerialNumber(info.header, facts) || facts.filled === 0,
      filled: facts.filled,
      distinct: facts.values.size,
      samples: [...facts.values.keys()]
        .slice(0, 3)
        .map((text) => cutText(shownCell({ pii }, text), 40)),
      fits: [
        ...listFittingKinds(facts).filter((each) => pii === null || each !== 'choice'),
        ...(targets.length > 0 ? (['relation'] as const) : []),
      ],
      notes: noteColumn(context, facts, relation),
    }
  })
}

/** Marks and days name no record, nor do texts about a person. */
function mayRelate(
  kind: ProposedColumn['kind'] | undefined,
  { filled, values }: ColumnFacts,
  pii: PiiKind | null,
): boolean {
  const isWord = [...values.keys()].some((value) => /\p{L}|\d{4}/u.test(value))
  return (
    filled > 0 &&
    isWord &&
    (pii === null || pii === 'name') &&
    (kind === 'text' || kind === 'choice' || kind === 'integer')
  )
}

/** The number that names a row: the first column of codes without a gap or a repetition. */
function chooseKey(seen: readonly Seen[], rows: number): number | null {
  const found = seen.find(
    ({ info, facts, pii }) =>
      rows > 1 &&
      pii === null &&
      facts.filled === rows &&
      facts.once?.size === rows &&
      codeHeading.test(info.header.trim()) &&
      !isSerialNumber(info.header, facts),
  )
  return found?.info.column ?? null
}

/** Numbers of the lines of a printed list. */
function isSerialNumber(header: string, { values }: ColumnFacts): boolean {
  const [first = ''] = values.keys()
  return /^(?:序号|行号|序|no\.?|№|#)$/i.test(header.trim()) && /^0*1$/.test(first)
}

function freeLabel(wanted: string, taken: Set<string>): string {
  const base = cutText(wanted, 50)
  for (let n = 1; ; n += 1) {
    const label = n === 1 ? base : `${base} ${n}`
    if (taken.has(label)) continue
    taken.add(label)
    return label
  }
}

function noteColumn(
  { locale }: Context,
  { misfits, filled }: ColumnFacts,
  related: Related | null,
): string[] {
  const notes: string[] = []
  for (const kind of triedKinds) {
    const { count, first } = misfits[kind]
    // A few cells of another kind make a column of texts.
    if (kind === 'flag' || count === 0 || count > filled * 0.2) continue
    const values = first.map((text) => shownCell(null, cutText(text, 20))).join('、')
    notes.push(t(locale, `made.misfit.${kind}`, { n: count, values }))
    break
  }
  const nearly = related?.whole === null ? (related.nearly ?? null) : null
  if (nearly !== null)
    notes.push(
      t(locale, 'made.nearly', {
        name: entityName(nearly.entity, locale),
        found: nearly.found,
      }),
    )
  return notes
}

const general = /^(?:sheet|工作表|表|table)?\s*\d*$/i

/** The title above the heading, the name of the sheet, or that of the file. */
function chooseName({ preview, heading, sheet, fileName }: OpenedSheet): string {
  const title = preview
    .filter(({ row }) => row < heading)
    .map(({ cells }) => [...new Set(cells.map((cell) => cellText(cell).trim()))].filter(Boolean))
    .find((texts) => texts.length === 1)?.[0]
  const base = fileName
    .replace(/\.[A-Za-z0-9]{2,5}$/, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
  const found =
    title !== undefined && title.length <= 30
      ? title
      : general.test(sheet.trim())
        ? base
        : sheet.trim()
  return cutText(found === '' ? 'sheet' : found, 60)
}

/** The first rows, masked where a column holds personal data. */
function showPreview(sheet: OpenedSheet, seen: readonly Seen[]): SheetProposal['preview'] {
  const marks = new Map(seen.map(({ info, pii }) => [info.column, pii]))
  return sheet.preview.slice(0, 12).map(({ row, cells }) => ({
    row,
    cells: cells
      .slice(0, 30)
      .map((cell, at) =>
        cutText(
          shownCell(
            { pii: row > sheet.heading ? (marks.get(at + 1) ?? null) : null },
            cellText(cell),
          ),
          40,
        ),
      ),
  }))
}

function listNotes({ locale }: Context, { tally, sheets, sheet }: OpenedSheet): string[] {
  const others = sheets.filter((name) => name !== sheet)
  return [
    ...(tally.left.length > 0
      ? [
          t(locale, 'made.left', {
            n: tally.left.length,
            rows: tally.left
              .slice(0, 5)
              .map((row) => row % sheetStride)
              .join('、'),
          }),
        ]
      : []),
    ...(others.length > 0 ? [t(locale, 'made.otherSheets', { names: others.join('、') })] : []),
  ]
}

/** An entity that has a field for most of the columns: its import is the shorter way. */
async function findFitting(context: Context, sheet: OpenedSheet): Promise<SheetProposal['fits']> {
  const rows = sheet.preview.filter(({ row }) => row === sheet.heading) satisfies readonly RawRow[]
  let best: SheetProposal['fits'] = null
  for (const entity of await context.registry.all(context.subject.tenant)) {
    if (entity.table.schema === 'sys') continue
    const access = await accessTo(context, entity, 'add').catch(() => null)
    if (access === null) continue
    const clues = { access, asked: null, remembered: [], signature: null, empty: 'keep' } as const
    const columns = findHeading(rows, clues)?.fits ?? 0
    if (columns >= Math.max(3, sheet.columns.length * 0.7) && columns > (best?.columns ?? 0))
      best = { tag: entity.tag, name: entityName(entity, context.locale), columns }
  }
  return best
}
