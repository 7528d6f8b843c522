// Opens a sheet that fits no entity: finds its heading by its shape, and reads the rows of data as an
// import does, without totals, notes and repeated headings.
import type { SheetColumnInfo } from '@jiaowu/api/contract/job'
import type { Context } from '../../../model/context.ts'
import { fileStore, storeFile } from '../../../platform/files/store.ts'
import { Invalid, Refusal } from '../../../platform/refusal.ts'
import { limits } from '@jiaowu/api/limits'
import { cellText, FileProblem, type RawRow, readLimits } from '../../sheets/read/model.ts'
import { fileKind } from '../../sheets/read/file-kind.ts'
import { createTally, dataRows, type Tally } from '../../import/rows/data-rows.ts'
import { columnLetter } from '../../import/rows/heading.ts'
import { chooseBestSheet, likelyHeading } from '../../import/upload/choose-sheets.ts'
import { buildUploadRef, readUpload } from '../../import/upload/upload-store.ts'
import type { FileReading } from '../../sheets/read/read-file.ts'
import { fileFault } from '../file-fault.ts'

export interface AskedSheet {
  readonly sheet?: string | undefined
  readonly heading?: number | undefined
}

export interface OpenedSheet {
  readonly fileName: string
  readonly sheet: string
  readonly sheets: readonly string[]
  readonly heading: number
  readonly from1904: boolean
  /** Columns with a heading or a value, from 1. */
  readonly columns: readonly SheetColumnInfo[]
  /** The first rows as they stand in the file. */
  readonly preview: readonly RawRow[]
  readonly rows: AsyncGenerator<readonly RawRow[]>
  readonly tally: Tally
}

/**
 * Opens the file for `work`, and forgets it afterwards.
 * @throws Refusal 413; Invalid for a file that cannot be read, with the reason
 */
export async function withSheet<T>(
  context: Context,
  file: Blob,
  asked: AskedSheet,
  work: (sheet: OpenedSheet) => Promise<T>,
): Promise<T> {
  if (file.size > limits.importBytes) throw new Refusal(413, { key: 'transfer.file.tooLarge' })
  const { settings, subject } = context
  const bytes = new Uint8Array(await file.arrayBuffer())
  const name = file instanceof File ? file.name : 'sheet'
  const kind = fileKind(name, bytes, undefined)
  if ('refusal' in kind) throw fileFault({ key: kind.refusal })
  const storage = await storeFile(settings, 'uploads', subject.tenant, bytes)
  try {
    const stored = { name, size: bytes.byteLength, sha256: '', storage, format: kind.format }
    const limit = { ...readLimits, rows: settings.importMaxRows }
    const reading = await readUpload(settings, subject.tenant, stored, limit, null)
    try {
      return await work(await openReading(reading, name, asked))
    } finally {
      await reading.close()
    }
  } catch (error) {
    throw error instanceof FileProblem ? fileFault(error.text) : error
  } finally {
    await fileStore(settings).remove(buildUploadRef(subject.tenant, storage))
  }
}

/** @throws FileProblem for a file without rows; Invalid for an unknown sheet */
async function openReading(
  { head, rows, survey }: FileReading,
  fileName: string,
  asked: AskedSheet,
): Promise<OpenedSheet> {
  if (head.encoding?.isBroken === true) throw new FileProblem({ key: 'transfer.file.encoding' })
  const { sheets } = head
  if (sheets.every((each) => each.rows.length === 0))
    throw new FileProblem({ key: 'transfer.file.empty' })
  const index =
    asked.sheet === undefined
      ? chooseBestSheet(
          sheets,
          sheets.map(() => null),
        )
      : sheets.findIndex(({ name }) => name === asked.sheet)
  const sheet = sheets[index]
  if (sheet === undefined)
    throw new Invalid([
      {
        path: 'sheet',
        rule: 'sheet',
        message: { key: 'made.noSheet', params: { sheet: asked.sheet ?? '' } },
      },
    ])
  const heading = asked.heading ?? likelyHeading(sheet.rows)
  const [whole] = await survey([{ index, headerRow: heading }])
  const columns = listSheetColumns(sheet.rows, heading, whole?.columns ?? [])
  const tally = createTally()
  return {
    fileName,
    sheet: sheet.name,
    sheets: sheets.filter((each) => each.rows.length > 0).map(({ name }) => name),
    heading,
    from1904: head.from1904,
    columns,
    preview: sheet.rows,
    tally,
    rows: dataRows(
      rows([index]),
      {
        sheets: [
          {
            index,
            name: sheet.name,
            headerRow: heading,
            headers: columns.map(({ header }) => header),
            order: null,
          },
        ],
        columns,
        idName: '',
        example: null,
        isPlain: false,
        leaveHidden: false,
      },
      tally,
    ),
  }
}

/** The columns with a heading or values below it. The data of the import's reader. */
function listSheetColumns(
  preview: readonly RawRow[],
  heading: number,
  used: readonly { readonly column: number; readonly samples: readonly string[] }[],
): readonly SheetColumnInfo[] {
  const values = new Map(used.map(({ column, samples }) => [column, samples]))
  const width = Math.max(0, ...values.keys(), ...preview.map(({ cells }) => cells.length))
  return Array.from({ length: width }, (_, at) => at + 1).flatMap((column): SheetColumnInfo[] => {
    const header = findHeader(preview, heading, column - 1)
    if (header === '' && !values.has(column)) return []
    return [
      {
        column,
        letter: columnLetter(column),
        header,
        attrName: `c${column}`,
        by: 'asked',
        empty: 'keep',
        samples: [...(values.get(column) ?? [])],
      },
    ]
  })
}

/** The text of the heading's row, or of a merged cell above it; titles are no headings of columns. */
function findHeader(preview: readonly RawRow[], heading: number, index: number): string {
  const at = preview.findIndex(({ row }) => row === heading)
  if (at === -1) return ''
  const own = textAt(preview[at], index)
  const above = preview[at - 1]
  if (own !== '' || above === undefined) return own
  const texts = new Set(
    above.cells.map((_cell, i) => textAt(above, i)).filter((text) => text !== ''),
  )
  return texts.size > 1 ? textAt(above, index) : ''
}

function textAt(row: RawRow | undefined, index: number): string {
  return cellText(row?.cells[index] ?? null)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
