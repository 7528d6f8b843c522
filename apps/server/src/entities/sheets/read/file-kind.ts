// Detects the kind of an uploaded file by its content: a sheet that can be read, or the name of its
// kind.
import type { ImportFormat } from '@jiaowu/api/contract/job'
import type { TextKey } from '@jiaowu/api/texts/index'
import { formatOfFileName } from '../format.ts'

/** A readable format, or the text that names the file and says how to make an xlsx of it. */
export type FileKind = { readonly format: ImportFormat } | { readonly refusal: TextKey }

/** `asked`: the format that the request names for a text file. */
export function fileKind(
  name: string,
  bytes: Uint8Array,
  asked: ImportFormat | undefined,
): FileKind {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(buffer, 'PK\u0003\u0004')) return zipKind(buffer)
  if (startsWith(buffer, '\u00d0\u00cf\u0011\u00e0')) return oleKind(name, buffer)
  const known = knownKinds.find(([mark]) => startsWith(buffer, mark))
  if (known !== undefined) return { refusal: known[1] }
  return textKind(name, buffer, asked)
}

function startsWith(buffer: Buffer, mark: string): boolean {
  return buffer.subarray(0, mark.length).toString('latin1') === mark
}

const knownKinds: readonly (readonly [string, TextKey])[] = [
  ['%PDF', 'transfer.kind.pdf'],
  ['\u0089PNG', 'transfer.kind.picture'],
  ['\u00ff\u00d8\u00ff', 'transfer.kind.picture'],
  ['GIF8', 'transfer.kind.picture'],
  ['{\\rtf', 'transfer.kind.document'],
  ['Rar!', 'transfer.kind.archive'],
  ['7z\u00bc\u00af', 'transfer.kind.archive'],
]

/** By the names of parts, which a zip stores as they are. */
function zipKind(buffer: Buffer): FileKind {
  const has = (part: string) => buffer.includes(part, 0, 'latin1')
  if (has('application/vnd.oasis.opendocument') || isRepackedOpenDocument(has))
    return { refusal: 'transfer.kind.ods' }
  if (has('Index/Document.iwa') || has('Index.zip')) return { refusal: 'transfer.kind.numbers' }
  if (has('xl/workbook.bin')) return { refusal: 'transfer.kind.xlsb' }
  if (has('word/document.xml') || has('ppt/presentation.xml'))
    return { refusal: 'transfer.kind.document' }
  return { format: 'xlsx' }
}

/** One that was unpacked and zipped again, with its type compressed. */
function isRepackedOpenDocument(has: (part: string) => boolean): boolean {
  return has('META-INF/manifest.xml') && has('content.xml') && !has('xl/')
}

/** Compound files: old Office documents, and new ones behind a password (MS-OFFCRYPTO §1.3.2). */
function oleKind(name: string, buffer: Buffer): FileKind {
  const has = (stream: string) => buffer.includes(Buffer.from(stream, 'utf16le'))
  if (has('EncryptedPackage')) return { refusal: 'transfer.kind.encrypted' }
  if (has('WordDocument') || has('PowerPoint Document'))
    return { refusal: 'transfer.kind.document' }
  return { refusal: /\.ett?$/i.test(name) ? 'transfer.kind.et' : 'transfer.kind.xls' }
}

/** Bytes that are searched for the marks of a page or of separated columns. */
const headBytes = 8_192

function textKind(name: string, buffer: Buffer, asked: ImportFormat | undefined): FileKind {
  const head = buffer.subarray(0, headBytes)
  // Every second byte of UTF-16 is 0 in what is looked for here.
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const zeros = head.filter((byte) => byte === 0).length
  if (!isWide && zeros > 0 && zeros < head.length / 8) return { refusal: 'transfer.file.type' }
  const text = head.toString('latin1').replaceAll('\0', '').toLowerCase()
  const start = text.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*/, '')
  if (start.startsWith('<?xml') && text.includes('schemas-microsoft-com:office:spreadsheet'))
    return { refusal: 'transfer.kind.xml' }
  if (
    /^<(?:!doctype|html|head|meta|table|style|body|!--)/.test(start) ||
    start.startsWith('mime-version:')
  )
    return { refusal: 'transfer.kind.html' }
  const format = asked ?? formatOfFileName(name)
  if (format === 'csv' || format === 'ndjson') return { format }
  // Many systems export separated text under the name of a workbook.
  return /\.(?:xlsx?|et)$/i.test(name) && /[\t,;|].*\r?\n/.test(text)
    ? { format: 'csv' }
    : { refusal: format === 'xlsx' ? 'transfer.file.notXlsx' : 'transfer.file.type' }
}
