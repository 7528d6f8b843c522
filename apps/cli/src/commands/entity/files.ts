import { ApiProblem } from '@jiaowu/api/problem'
import { type ExportFormat, exportFormats } from '@jiaowu/api/contract/entity/entity-data'
import { t } from '@jiaowu/api/texts/index'
import { transferView } from '@jiaowu/machines/transfer/view'
import { extname } from 'node:path'
import { waitFor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { connect } from '../../session/connect.ts'
import { listColumns, buildTypedQuery } from '../../entities/entity-query.ts'
import { viewNamed } from '../../entities/entity-view.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { assertFree, saveFile } from '../../files/save-file.ts'
import { sheetFiles } from '../../entities/import/sheet-file.ts'
import { sizeText } from '../../entities/import/size-text.ts'
import { startTransfer } from '../../ports/transfer-ports.ts'
import type { QueryFlags } from './read.ts'

interface ExportFlags extends QueryFlags {
  readonly output?: string
  readonly format?: string
  readonly reveal?: boolean
  readonly reason?: string
}

/**
 * `entity export TAG`: runs the transfer machine and streams to a file, or to stdout with `-o -`.
 */
export async function exportRows(
  line: CommandLine,
  tag: string,
  flags: ExportFlags,
): Promise<void> {
  const { locale, output, signal } = line
  if (flags.reveal === true && flags.reason === undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.needReason'))
  if (flags.output !== undefined) await assertFree(line, flags.output)
  const { api } = connect(line)
  const format = resolveExportFormat(flags, line)
  const config = await api.entityData.config({ params: { tag }, signal })
  const view = await viewNamed(line, api, tag, flags.view)
  const shown =
    view?.columns?.filter((name) =>
      config.fields.some(({ attrName, isExport }) => attrName === name && isExport === 1),
    ) ?? null
  const columns =
    flags.columns === undefined
      ? shown
      : listColumns(config, flags.columns, locale).map((field) => field.attrName)
  const query = await buildTypedQuery(api, config, flags, view, locale)
  const started = Date.now()
  let path = ''
  const { actor, fault } = startTransfer(
    line,
    api,
    sheetFiles(),
    { tag, kind: 'export', sheet: { query, format, columns } },
    {
      output: flags.output,
      results: undefined,
      revealFor: flags.reveal === true ? flags.reason : undefined,
      savedTo: (saved) => {
        path = saved
      },
    },
  )
  actor.subscribe((s) => {
    const { step, received } = transferView(s)
    if (step === 'running' && received.bytes > 0)
      output.progress(t(locale, 'cli.saving', { size: sizeText(received.bytes) }))
  })
  actor.send({ type: 'export.start' })
  const { step, received, problem } = transferView(
    await waitFor(actor, (s) => ['done', 'failed'].includes(transferView(s).step)),
  )
  actor.stop()
  output.progress(null)
  if (step === 'failed')
    throw (
      fault.error ??
      (problem === null ? new CommandError(exitCodes.fault, '') : new ApiProblem(problem))
    )
  reportSaved(line, { path, ...received, started })
}

/** `--format`, else the format of the file's extension, else xlsx. */
function resolveExportFormat(
  { format, output }: ExportFlags,
  { locale }: CommandLine,
): ExportFormat {
  const word =
    format ??
    extname(output ?? '')
      .slice(1)
      .toLowerCase()
  if (isFormat(word)) return word
  if (format !== undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badFormat', { value: format }))
  return word === 'jsonl' ? 'ndjson' : 'xlsx'
}

function isFormat(word: string): word is ExportFormat {
  return (exportFormats as readonly string[]).includes(word)
}

/** Reports where the file was saved; prints its path on stdout, unless stdout received the file. */
function reportSaved(
  { locale, output }: CommandLine,
  {
    path,
    bytes,
    rows,
    started,
  }: {
    readonly path: string
    readonly bytes: number
    readonly rows: number | null
    readonly started: number
  },
): void {
  output.progress(null)
  const said = { path, size: sizeText(bytes), seconds: ((Date.now() - started) / 1000).toFixed(1) }
  const sentence =
    rows === null ? t(locale, 'cli.saved', said) : t(locale, 'cli.savedRows', { ...said, rows })
  if (path === '-') output.talk(sentence)
  else output.done({ path, bytes, rows }, sentence, path)
}

/** `entity template TAG`. */
export async function template(
  line: CommandLine,
  tag: string,
  flags: { readonly output?: string },
): Promise<void> {
  const { locale, output, signal } = line
  if (/\.(csv|ndjson|jsonl|xls)$/i.test(flags.output ?? ''))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.templateIsSheet'))
  const started = Date.now()
  const reply = await connect(line).api.entityData.template({ params: { tag }, signal })
  const saved = await saveFile(line, reply, flags.output, `${tag}.xlsx`, (bytes) =>
    output.progress(t(locale, 'cli.saving', { size: sizeText(bytes) })),
  )
  reportSaved(line, { ...saved, rows: reply.rows, started })
}
