import { type ExportFormat, exportFormats, t } from '@jiaowu/api'
import { extname } from 'node:path'
import type { CommandLine } from '../command-line.ts'
import { connect } from '../connect.ts'
import { columnsOf, parseFilters, parseSorts } from '../entity-query.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { saveFile } from '../save-file.ts'
import type { QueryFlags } from './entity-read.ts'

interface ExportFlags extends QueryFlags {
  readonly output?: string
  readonly format?: string
}

const sizeText = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`)
const isFormat = (word: string): word is ExportFormat => (exportFormats as readonly string[]).includes(word)

/** `--format`, else what the file's ending says, else xlsx. */
const formatOf = ({ format, output }: ExportFlags, { locale }: CommandLine): ExportFormat => {
  const word = format ?? extname(output ?? '').slice(1).toLowerCase()
  if (isFormat(word)) return word
  if (format !== undefined) throw new CommandError(exitCodes.usage, t(locale, 'cli.badFormat', { value: format }))
  return word === 'jsonl' ? 'ndjson' : 'xlsx'
}

const receive = async (line: CommandLine, reply: Parameters<typeof saveFile>[0], wanted: string | undefined, fallback: string): Promise<void> => {
  const { locale, output, signal } = line
  const started = Date.now()
  const { path, bytes } = await saveFile(reply, wanted, fallback, (received) => output.progress(t(locale, 'cli.saving', { size: sizeText(received) })), signal)
  output.progress(null)
  const said = { path, size: sizeText(bytes), seconds: ((Date.now() - started) / 1000).toFixed(1) }
  const sentence = reply.rows === null ? t(locale, 'cli.saved', said) : t(locale, 'cli.savedRows', { ...said, rows: reply.rows })
  if (path === '-') output.talk(sentence)
  else output.data({ path, bytes, rows: reply.rows }, () => [sentence])
}

/** `entity export TAG`: streams to a file, or to stdout with `-o -`. */
export const exportRows = async (line: CommandLine, tag: string, flags: ExportFlags): Promise<void> => {
  const { locale, signal } = line
  const { api } = connect(line)
  const format = formatOf(flags, line)
  const config = await api.entityData.config({ params: { tag }, signal })
  const columns = flags.columns === undefined ? {} : { columns: columnsOf(config, flags.columns, locale).map((field) => field.attrName) }
  const queries = await parseFilters(api, config, flags.filter, locale)
  const reply = await api.entityData.export({ params: { tag }, body: { pageNum: -1, pageSize: -1, format, queries, sorts: parseSorts(config, flags.sort, locale), ...columns }, signal })
  await receive(line, reply, flags.output, `${tag}.${format}`)
}

/** `entity template TAG`. */
export const template = async (line: CommandLine, tag: string, flags: { readonly output?: string }): Promise<void> => {
  const { api } = connect(line)
  await receive(line, await api.entityData.template({ params: { tag }, signal: line.signal }), flags.output, `${tag}.xlsx`)
}
