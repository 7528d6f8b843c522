// Finds the heading row and the field of each of its columns.
import { shownCell } from './personal.ts'
import { cutText } from '@jiaowu/api/cut-text'
import type { EmptyMeaning, ImportMapping, SheetColumnInfo } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import { type EntityAccess, isAllowed } from '../../../access/access.ts'
import { type LoadedField, valueFields } from '../../../model/definition/loaded.ts'
import { cellText, type RawRow } from '../../sheets/read/model.ts'
import type { ColumnUse } from '../../sheets/read/survey.ts'
import type { Signature } from '../../sheets/signature.ts'
import { foldText } from './fold.ts'
import { joinYearAndHalf } from './extra-cells.ts'
import { listSynonyms, relatedParts } from './synonyms.ts'

export interface HeadingClues {
  readonly access: EntityAccess
  readonly asked: ImportMapping | null
  readonly remembered: readonly {
    readonly header: string
    readonly attrName: string | null
    readonly empty?: EmptyMeaning | undefined
    readonly joined?: string | undefined
  }[]
  readonly signature: Signature | null
  readonly empty: EmptyMeaning
}
export interface Heading {
  /** Number of the heading row; 0: the sheet has none. */
  readonly row: number
  readonly columns: readonly SheetColumnInfo[]
  /** How many columns name a field. */
  readonly fits: number
}
type By = SheetColumnInfo['by']
interface Found {
  readonly attrName: string | null
  readonly by: By
  readonly empty?: EmptyMeaning | undefined
  /** A column that names the field by another word, or what of a relation's record it names. */
  readonly part?: 'word' | 'key' | 'title'
}

export function columnLetter(column: number): string {
  return (
    (column <= 26 ? '' : columnLetter(Math.floor((column - 1) / 26))) +
    String.fromCharCode(65 + ((column - 1) % 26))
  )
}

/** Headings of a result sheet; a field may have the same name, and its column comes first. */
const ownHeaders = new Set(
  (['transfer.result', 'transfer.reason'] as const).flatMap((key) => [
    t('zh-CN', key),
    t('en', key),
  ]),
)

const ownColumn: Found = { attrName: null, by: 'own' }

/** Fields that the requested mapping names but the entity lacks: reported, not ignored. */
export function unknownAsked(clues: HeadingClues): string[] {
  if (clues.asked === null) return []
  const { isField } = guesser(clues)
  const names = Array.isArray(clues.asked)
    ? clues.asked.map(({ attrName }) => attrName)
    : Object.values(clues.asked)
  return names.filter((name): name is string => name !== null && !isField(name))
}

/** Finds a field by the text of a heading. */
function guesser({ access, asked, remembered, signature }: HeadingClues) {
  const idName = access.entity.definition.idField
  const fields = valueFields(access.entity).filter((field) => isAllowed(access, field, 'any'))
  const byName = new Map(fields.map((field) => [field.definition.attrName, field]))
  const group = (of: (field: LoadedField) => string[]) =>
    Map.groupBy(
      fields.flatMap((field) => of(field).map((word) => ({ word, field }))),
      ({ word }) => word,
    )
  const [byLabel, bySimilar, byWord] = [
    group(listLabels),
    group(listOwnHeadings),
    group((field) => listLabels(field).flatMap((label) => listSynonyms(bare(label)))),
  ]
  /** A relation's column may carry the key of its record or its title: 课程号, 课程名称. */
  const related = fields.flatMap((field) =>
    field.kind.family === 'choice'
      ? listLabels(field).map((label) => ({ label: bare(label), field }))
      : [],
  )
  const only = (groups: ReturnType<typeof group>, word: string): string | null => {
    const names = new Set((groups.get(word) ?? []).map(({ field }) => field.definition.attrName))
    return names.size === 1 ? ([...names][0] ?? null) : null
  }
  const askedFor = (header: string, column: number): Found | null => {
    if (asked === null) return null
    if (!Array.isArray(asked))
      return Object.hasOwn(asked, header)
        ? { attrName: (asked as Record<string, string | null>)[header] ?? null, by: 'asked' }
        : null
    const entry = asked.find((each) =>
      each.column === undefined ? each.header === header : each.column === column,
    )
    return entry === undefined
      ? null
      : { attrName: entry.attrName, by: 'asked', empty: entry.empty }
  }
  /** Matches by text; the signature's columns come after, because they go by position. */
  const byWords = (header: string): Found | null => {
    const label = only(byLabel, header)
    if (ownHeaders.has(header) && label === null) return ownColumn
    const known = remembered.find((each) => each.header === header)
    if (
      known !== undefined &&
      (known.attrName === null || byName.has(known.attrName) || known.attrName === idName)
    )
      return { attrName: known.attrName, by: 'remembered', empty: known.empty }
    if (header === idName || header === 'id') return { attrName: idName, by: 'key' }
    if (byName.has(header)) return { attrName: header, by: 'attrName' }
    if (label !== null) return { attrName: label, by: 'label' }
    const word = bare(header)
    if (word === '') return null
    const similar = only(bySimilar, word)
    if (similar !== null) return { attrName: similar, by: 'similar' }
    const meant = only(byWord, word)
    return meant === null ? byPart(word) : { attrName: meant, by: 'similar', part: 'word' }
  }
  const byPart = (word: string): Found | null => {
    for (const part of relatedParts) {
      const names = new Set(
        related.flatMap(({ label, field }) =>
          part.words.some((end) => listSynonyms(label).some((each) => each + end === word))
            ? [field.definition.attrName]
            : [],
        ),
      )
      const [attrName] = names
      if (attrName !== undefined && names.size === 1)
        return { attrName, by: 'similar', part: part.kind }
    }
    return null
  }
  return {
    find: (header: string, column: number): Found | null =>
      askedFor(header, column) ?? (header === '' ? null : byWords(header)),
    bySignature: (column: number): Found | null => {
      const attrName = signature?.columns[column - 1]
      return attrName !== undefined && byName.has(attrName) ? { attrName, by: 'signature' } : null
    },
    isField: (attrName: string) => byName.has(attrName) || attrName === idName,
  }
}

/** A field's labels, name and the headings that its definition adds. */
function listOwnHeadings(field: LoadedField): string[] {
  const { attrName, options } = field.definition
  return [...listLabels(field), ...(options.synonyms ?? []), attrName].map(bare)
}

function listLabels({ definition: { uiLabel, options } }: LoadedField): string[] {
  return [
    normalizeHeader(uiLabel),
    ...(options.labelEn === undefined || options.labelEn === ''
      ? []
      : [normalizeHeader(options.labelEn)]),
  ]
}

/** Marks that templates and users add to headings: `*`, `（必填）`. */
function bare(header: string): string {
  return foldText(header.replace(/[（(【[].*?[）)】\]]/g, '')).replace(/[*:：\s_-]/g, '')
}

/**
 * The first row in which most columns name a field; null when none does. Columns assigned by their
 * number do not count: they say nothing about where the heading is.
 */
export function findHeading(rows: readonly RawRow[], clues: HeadingClues): Heading | null {
  const asked = Array.isArray(clues.asked)
    ? clues.asked.filter(({ column }) => column === undefined)
    : clues.asked
  const guess = guesser({ ...clues, asked })
  const fits = (header: string) => guess.find(header, 0) !== null
  const indexes = listColumnIndexes(rows)
  const scores = rows.map(
    (_row, at) =>
      indexes.filter(
        (index) => guess.find(headerAt(rows, at, index, fits), index + 1)?.attrName !== undefined,
      ).length,
  )
  const best = Math.max(0, ...scores)
  return best === 0 ? null : headingAt(rows, rows[scores.indexOf(best)]?.row ?? 0, clues)
}

/** The heading in a row of this number; 0, or a row that is not there: none. */
export function headingAt(rows: readonly RawRow[], row: number, clues: HeadingClues): Heading {
  const at = rows.findIndex((each) => each.row === row)
  const guess = guesser(clues)
  const fits = (header: string) => guess.find(header, 0) !== null
  const claim = claims(clues)
  const indexes = listColumnIndexes(rows)
  const named = indexes.map((index) => {
    const header = at === -1 ? '' : headerAt(rows, at, index, fits)
    return { index, header, found: guess.find(header, index + 1) }
  })
  const rivals = named.flatMap(({ found }) => found ?? [])
  const columns = named.flatMap(({ index, header, found }): SheetColumnInfo[] => {
    const samples = rows.slice(at + 1, at + 4).map((each) => cutText(textAt(each, index), 60))
    if (header === '' && samples.every((text) => text === '') && found === null) return []
    const kept = claim(withoutRivals(found ?? guess.bySignature(index + 1), rivals), header)
    return [
      {
        column: index + 1,
        letter: columnLetter(index + 1),
        header,
        attrName: kept?.attrName ?? null,
        by: kept?.by ?? null,
        empty: kept?.empty ?? clues.empty,
        samples: samples.map((text) => shownCell(fieldNamed(clues, kept?.attrName), text)),
      },
    ]
  })
  return {
    row: at === -1 ? 0 : row,
    columns: joinColumns(preferWritable(columns, clues), clues),
    fits: columns.filter(({ attrName }) => attrName !== null).length,
  }
}

/**
 * A field that only shows another side of a relation (学号 beside 学生) is read as the relation itself,
 * where no column names that.
 */
function preferWritable(
  columns: readonly SheetColumnInfo[],
  { access: { entity } }: HeadingClues,
): readonly SheetColumnInfo[] {
  const taken = new Set(columns.map(({ attrName }) => attrName))
  return columns.map((each) => {
    const shown = each.attrName === null ? undefined : entity.field(each.attrName)
    if (shown === undefined || shown.definition.isAdd === 1 || each.by === 'asked') return each
    const twin = valueFields(entity).find(
      ({ column, kind, definition }) =>
        column !== null &&
        column === shown.column &&
        kind.family === 'choice' &&
        definition.isAdd === 1 &&
        !taken.has(definition.attrName),
    )
    if (twin === undefined) return each
    taken.add(twin.definition.attrName)
    return { ...each, attrName: twin.definition.attrName, by: 'similar' as const }
  })
}

/** The columns with those that are joined: as asked, as last time, or a school year and its half. */
function joinColumns(
  columns: readonly SheetColumnInfo[],
  { asked, remembered }: HeadingClues,
): readonly SheetColumnInfo[] {
  const pairs = Array.isArray(asked)
    ? asked.flatMap(({ column, header, attrName, joined }) => {
        const first = columns.find((each) =>
          column === undefined ? each.header === header : each.column === column,
        )
        return joined === undefined || first === undefined ? [] : [{ first, joined, attrName }]
      })
    : (asked === null ? listRemembered(remembered) : Object.entries(asked)).flatMap(
        ([headers, attrName]) => {
          const [one, two, ...more] = headers.split('+').map(normalizeHeader)
          const [first, second] = [one, two].map((text) =>
            columns.find(({ header }) => header === text),
          )
          return first === undefined || second === undefined || more.length > 0
            ? []
            : [{ first, joined: second.column, attrName }]
        },
      )
  const joined = columns.map((each) => {
    const pair = pairs.find(({ first }) => first === each)
    if (pair !== undefined)
      return { ...each, attrName: pair.attrName, by: 'asked' as const, joined: pair.joined }
    return pairs.some((other) => other.joined === each.column)
      ? { ...each, attrName: null, by: 'asked' as const }
      : each
  })
  return Array.isArray(asked) || pairs.length > 0 ? joined : joinYearAndHalf(joined, bare)
}

function listRemembered(
  remembered: HeadingClues['remembered'],
): readonly (readonly [string, string | null])[] {
  return remembered.flatMap(({ header, joined, attrName }) =>
    joined === undefined ? [] : [[`${header}+${joined}`, attrName] as const],
  )
}

/** The columns with those whose values begin below the rows that the heading was found in. */
export function withLateColumns(
  columns: readonly SheetColumnInfo[],
  uses: readonly ColumnUse[],
  clues: HeadingClues,
): SheetColumnInfo[] {
  const known = new Map(columns.map((each) => [each.column, each]))
  const guess = guesser(clues)
  const late = uses
    .filter(({ column }) => !known.has(column))
    .map(({ column, samples }): SheetColumnInfo => {
      const found = guess.find('', column)
      return {
        column,
        letter: columnLetter(column),
        header: '',
        attrName: found?.attrName ?? null,
        by: found?.by ?? null,
        empty: found?.empty ?? clues.empty,
        samples: samples.map((text) => shownCell(fieldNamed(clues, found?.attrName), text)),
        isLate: true,
      }
    })
  return [...columns, ...late].toSorted((a, b) => a.column - b.column)
}

const partRanks = { word: 1, key: 1, title: 2 } as const

/**
 * A field is read from the column of its own name, else from one of another word or of its record's
 * key, else from that of its record's title.
 */
function withoutRivals(found: Found | null, all: readonly Found[]): Found | null {
  if (found?.part === undefined) return found
  const rank = partRanks[found.part]
  const isBeaten = all.some(
    ({ attrName, part }) =>
      attrName === found.attrName && (part === undefined ? 0 : partRanks[part]) < rank,
  )
  if (!isBeaten) return found
  // Beside its key the title of a record needs no question; which of two marks counts does.
  return found.part === 'word' ? null : { attrName: null, by: 'similar' }
}

/** Gives each field to the first column that names it. */
function claims({ access: { entity } }: HeadingClues) {
  const taken = new Set<string>()
  return (found: Found | null, header: string): Found | null => {
    if (found === null || found.attrName === null) return found
    // Row ids stand beside the column of the key itself.
    const isRowId = header === 'id' && entity.field('id') === undefined
    const place = isRowId ? `row ${found.attrName}` : found.attrName
    if (found.by !== 'asked' && taken.has(place)) return ownHeaders.has(header) ? ownColumn : null
    taken.add(place)
    return found
  }
}

/** The texts of a row, to recognise a sheet of the same shape. */
export function listRowTexts(row: RawRow | undefined): string[] {
  return (row?.cells ?? []).map((_cell, index) => textAt(row, index))
}

function listColumnIndexes(rows: readonly RawRow[]): number[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  return Array.from({ length: width }, (_, index) => index)
}

function fieldNamed({ access }: HeadingClues, attrName: string | null | undefined) {
  return typeof attrName === 'string' ? (access.entity.field(attrName) ?? null) : null
}

/** A column's heading, or in vertically merged cells the text above it. */
function headerAt(
  rows: readonly RawRow[],
  at: number,
  index: number,
  fits: (header: string) => boolean,
): string {
  const own = textAt(rows[at], index)
  if (own !== '') return own
  for (let above = at - 1; above >= 0; above -= 1) {
    const text = textAt(rows[above], index)
    if (text !== '') return fits(text) ? text : ''
  }
  return ''
}

function textAt(row: RawRow | undefined, index: number): string {
  return normalizeHeader(cellText(row?.cells[index] ?? null))
}

function normalizeHeader(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
