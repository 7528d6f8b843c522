// Opens the uploaded file: chooses its sheets, finds their heading and maps their columns.
import { cutText } from '@jiaowu/api/cut-text'
import type { RememberedImport, SheetInfo } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import type { Context } from '../../../model/context.ts'
import { FileMissing } from '../../../platform/files/driver.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import {
  cellText,
  FileProblem,
  type RawHead,
  type RawRow,
  readLimits,
} from '../../sheets/read/model.ts'
import type { FileReading } from '../../sheets/read/read-file.ts'
import type { Signature } from '../../sheets/signature.ts'
import { type ImportRecord, JobStop, type ReadSheet } from '../../jobs/job.ts'
import { loadDefaults } from '../../write/write.ts'
import type { SheetSurvey } from '../../sheets/read/survey.ts'
import { assertColumns, importFields, chooseImportKey, type Rights, stop } from '../columns.ts'
import { chooseSheets, type SheetsChosen } from './choose-sheets.ts'
import { dataRows, type Tally, createTally } from '../rows/data-rows.ts'
import { withExtraCells } from '../rows/extra-cells.ts'
import { guessColumns } from '../rows/guess-columns.ts'
import { type HeadingClues, withLateColumns } from '../rows/heading.ts'
import { shownCell } from '../rows/personal.ts'
import { type HiddenFile, findHidden, leavesHidden, listHiddenNotes } from './hidden.ts'
import { findFixed } from './propose-fixed.ts'
import { untakenNotes } from './untaken.ts'
import { readUpload } from './upload-store.ts'

const signatureShape = v.object({
  tag: v.string(),
  revision: v.string(),
  kind: v.picklist(['template', 'export']),
  columns: v.array(v.string()),
  example: v.optional(v.array(v.string())),
})

export interface OpenedFile {
  readonly sheet: SheetInfo
  readonly sheets: readonly ReadSheet[]
  readonly from1904: boolean
  readonly key: string | null
  /** The data rows in the order of the sheets, in chunks; their numbers are those of the ledger. */
  readonly rows: AsyncGenerator<readonly RawRow[]>
  /** Rows below the headings, those included that will be left out. */
  readonly expected: number
  /** Counted while the rows are read. */
  readonly tally: Tally
}

/** @throws JobStop, FileProblem */
export async function openFile(
  context: Context,
  job: ImportRecord,
  rights: Rights,
  remembered: RememberedImport | null,
): Promise<OpenedFile> {
  const { entity } = rights.view
  const { head, rows, survey: surveySheets, close } = await openImportFile(context, job)
  try {
    const signature = signatureIn(head)
    await assertMadeFor(context, signature, entity)
    assertRows(head, job)
    const clues: HeadingClues = {
      access: rights.view,
      asked: job.options.mapping,
      remembered: remembered?.columns ?? [],
      signature,
      empty: job.options.empty,
    }
    const found = chooseSheets(head, clues, job, remembered?.shapes ?? [])
    const survey = await surveySheets(found.sheets)
    const whole = completeSheets(found, survey, clues)
    const chosen = await withGuesses(context, rights, head, whole)
    const [first] = chosen.sheets
    const defaults = await loadDefaults(context, entity)
    if (!chosen.isFound && job.options.pauseAt === 'none' && job.options.mapping === null)
      stop({ key: 'transfer.file.noHeader' })
    const sheet: SheetInfo = {
      ...buildSheetInfo(entity, head, chosen),
      ...findHidden(job, survey),
      fields: importFields(context, rights),
      fixed: [...(await findFixed({ context, job, rights, defaults, remembered }, head, chosen))],
      notes: buildSheetNotes(context, entity, head, {
        ...chosen,
        survey,
        leaveHidden: leavesHidden(job),
      }),
    }
    const key =
      job.options.pauseAt === 'mapping'
        ? null
        : await asking(job, sheet, async () => {
            if (head.encoding?.isBroken === true) stop({ key: 'transfer.file.encoding' })
            if (!chosen.isFound && job.options.mapping === null)
              stop({ key: isGuessed(chosen) ? 'transfer.file.guessed' : 'transfer.file.noHeader' })
            if (chosen.unlike !== null)
              stop({ key: 'transfer.file.sheetShape', params: { sheet: chosen.unlike } })
            assertColumns(job, context, rights, chosen.columns, clues, defaults)
            return chooseImportKey(job, rights, chosen.columns)
          })
    const tally = createTally()
    return {
      sheet,
      sheets: chosen.sheets,
      from1904: head.from1904,
      key,
      tally,
      expected: survey.reduce((sum, each) => sum + each.rows, 0),
      rows: withExtraCells(
        dataRows(
          rows(chosen.sheets.map(({ index }) => index)),
          {
            sheets: chosen.sheets,
            columns: chosen.columns.filter(({ attrName }) => attrName !== null),
            idName: entity.definition.idField,
            example: signature?.example ?? null,
            isPlain: job.file.format === 'ndjson' || signature !== null || first === undefined,
            leaveHidden: leavesHidden(job),
          },
          tally,
        ),
        sheet,
      ),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws FileProblem for a file without rows, or with rows only where nobody sees them */
function assertRows({ sheets }: RawHead, { options }: ImportRecord): void {
  const filled = sheets.filter(({ rows }) => rows.length > 0)
  if (filled.length === 0) throw new FileProblem({ key: 'transfer.file.empty' })
  const asked = options.reading?.sheets ?? []
  if (filled.some(({ name, isHidden }) => isHidden !== true || asked.includes(name))) return
  const names = filled.map(({ name }) => name).join('、')
  throw new FileProblem({ key: 'transfer.file.onlyHidden', params: { sheets: names } })
}

/** Columns of a sheet that has no heading and was not assigned by hand get the fields that fit their values. */
async function withGuesses(
  context: Context,
  { view }: Rights,
  head: RawHead,
  chosen: SheetsChosen,
): Promise<SheetsChosen> {
  const [first] = chosen.sheets
  if (chosen.isFound || first === undefined || first.headerRow !== 0) return chosen
  const rows = head.sheets[first.index]?.rows ?? []
  return { ...chosen, columns: await guessColumns(context, view, rows, chosen.columns) }
}

function isGuessed({ columns }: SheetsChosen): boolean {
  return columns.some(({ by }) => by === 'values')
}

/** The chosen sheets with all of their columns, as wide as all of their rows. */
function completeSheets(
  chosen: SheetsChosen,
  survey: readonly SheetSurvey[],
  clues: HeadingClues,
): SheetsChosen {
  const [first] = chosen.sheets
  const uses = survey.find(({ index }) => index === first?.index)?.columns ?? []
  const columns = withLateColumns(chosen.columns, uses, clues)
  const width = Math.max(0, ...columns.map(({ column }) => column))
  return {
    ...chosen,
    columns,
    sheets: chosen.sheets.map((sheet) => ({ ...sheet, order: widenOrder(sheet.order, width) })),
  }
}

/** A column without a heading is the same one in every sheet, unless it is another one there. */
function widenOrder(order: readonly number[] | null, width: number): readonly number[] | null {
  if (order === null) return null
  return Array.from({ length: Math.max(width, order.length) }, (_, at) =>
    at < order.length ? (order[at] ?? -1) : order.includes(at) ? -1 : at,
  )
}

async function openImportFile(context: Context, job: ImportRecord): Promise<FileReading> {
  if (job.file_gone) stop({ key: 'transfer.file.gone' })
  const limits = {
    ...readLimits,
    rows: context.settings.importMaxRows,
  }
  const encoding = job.options.reading?.encoding ?? null
  return await readUpload(context.settings, job.tenant_id, job.file, limits, encoding).catch(
    (error: unknown) =>
      error instanceof FileMissing ? stop({ key: 'transfer.file.gone' }) : Promise.reject(error),
  )
}

/** @throws JobStop for a file that was made for another entity */
async function assertMadeFor(
  context: Context,
  signature: Signature | null,
  entity: LoadedEntity,
): Promise<void> {
  if (signature === null || signature.tag === entity.tag) return
  const other = await context.registry.find(context.subject.tenant, signature.tag)
  stop({
    key: 'transfer.file.otherEntity',
    params: {
      made: other === undefined ? signature.tag : chooseEntityName(context, other),
      wanted: chooseEntityName(context, entity),
    },
  })
}

function signatureIn({ signature }: RawHead): Signature | null {
  if (signature === null) return null
  try {
    const parsed = v.safeParse(signatureShape, parseJson(signature.replace(/^'/, '')))
    return parsed.success ? parsed.output : null
  } catch {
    return null // not a signature of ours
  }
}

function chooseEntityName({ locale }: Context, { definition }: LoadedEntity): string {
  return locale === 'en' ? (definition.nameEn ?? definition.name) : definition.name
}

/** Rows and columns of the preview, and characters of its cells. */
const shown = { rows: 20, columns: 40, characters: 40 }

function buildSheetInfo(
  entity: LoadedEntity,
  head: RawHead,
  chosen: SheetsChosen,
): Omit<SheetInfo, 'fields' | 'notes'> {
  const [first] = chosen.sheets
  const fields = new Map(
    chosen.columns.map(({ column, attrName }) => [
      column,
      attrName === null ? null : (entity.field(attrName) ?? null),
    ]),
  )
  const preview = head.sheets[first?.index ?? 0]?.rows ?? []
  return {
    name: first?.name ?? '',
    headerRow: first?.headerRow ?? 0,
    otherSheets: head.sheets
      .filter((_sheet, index) => !chosen.sheets.some((each) => each.index === index))
      .map(({ name }) => name),
    ...(head.sheets.length < 2 ? {} : { sheets: [...chosen.choices] }),
    preview: preview.slice(0, shown.rows).map(({ row, cells }) => ({
      row,
      cells: cells.slice(0, shown.columns).map((cell, index) =>
        // A heading is no value of its column.
        cutText(
          shownCell(
            row > (first?.headerRow ?? 0) ? (fields.get(index + 1) ?? null) : null,
            cellText(cell),
          ),
          shown.characters,
        ),
      ),
    })),
    columns: [...chosen.columns],
    ...(head.encoding !== undefined && { encoding: head.encoding }),
  }
}

function buildSheetNotes(
  { locale }: Context,
  entity: LoadedEntity,
  head: RawHead,
  chosen: SheetsChosen & HiddenFile,
): string[] {
  const { choices } = chosen
  const signature = signatureIn(head)
  const rest = choices.filter(({ chosen, isHidden }) => !chosen && isHidden !== true)
  const alike = rest.filter((sheet) => sheet.alike)
  const names = (sheets: typeof rest) => sheets.map(({ name }) => name).join('、')
  return [
    ...(head.encoding?.isGuess === true && head.encoding.name === 'windows-1252'
      ? [t(locale, 'transfer.note.western')]
      : []),
    ...(alike.length > 0
      ? [t(locale, 'transfer.note.alike', { n: alike.length, sheets: names(alike) })]
      : rest.length > 0 && signature === null
        ? [t(locale, 'transfer.note.otherSheets', { sheets: names(rest) })]
        : []),
    ...(signature !== null && signature.revision !== entity.revision
      ? [t(locale, 'transfer.note.oldTemplate')]
      : []),
    ...listHiddenNotes(locale, head, chosen, entity.definition.idField),
    ...untakenNotes(locale, head, { ...chosen, width: readLimits.columns }),
  ]
}

/**
 * With `review` a problem with the columns pauses the job for the user; otherwise it fails the job.
 */
async function asking<T>(job: ImportRecord, sheet: SheetInfo, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof JobStop && error.status === 'failed' && job.options.pauseAt === 'review'
      ? new JobStop('paused', error.text, sheet)
      : error
  }
}
