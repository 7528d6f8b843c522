import {
  type EmptyMeaning,
  emptyMeanings,
  type FixedValues,
  type ImportFormat,
  importFormats,
  type ImportMapping,
  type ImportMode,
  type ImportReading,
  importModes,
  type Job,
  type OnError,
  onErrorChoices,
} from '@jiaowu/api/contract/job'
import { may, entityPermission } from '@jiaowu/api/entity/permission'
import { t } from '@jiaowu/api/texts/index'
import { parseJson } from '@jiaowu/api/exact-json'
import type { FileFacts, ImportChoices } from '@jiaowu/machines/transfer/ports'
import type { TransferInput } from '@jiaowu/machines/transfer/context'
import { transferView, type TransferView } from '@jiaowu/machines/transfer/view'
import { access } from 'node:fs/promises'
import { extname } from 'node:path'
import type { CommandLine } from '../../command-line.ts'
import { connect } from '../../session/connect.ts'
import type { Api } from '../../session/api.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { fileFault } from '../../files/file-fault.ts'
import { readText } from '../../files/text-file.ts'
import { assertFree, saveFile } from '../../files/save-file.ts'
import { jobLines, leftText } from '../../entities/import/job-text.ts'
import { exitCodeOfJob, runImport } from '../../entities/import/run-import.ts'
import { readFileStats, sheetFiles, type SheetFiles } from '../../entities/import/sheet-file.ts'
import { startTransfer } from '../../ports/transfer-ports.ts'

interface ImportFlags {
  readonly mode?: string
  readonly key?: string
  readonly onError?: string
  readonly empty?: string
  readonly dryRun?: boolean
  readonly mapping?: string
  /** `field=value` for all rows. */
  readonly set?: readonly string[]
  /** `one+two=field`: two columns that fill one field. */
  readonly join?: readonly string[]
  readonly format?: string
  readonly sheet?: readonly string[]
  readonly heading?: string
  readonly leaveHidden?: boolean
  readonly resume?: string
  readonly results?: string
  readonly onlyWrong?: boolean
  readonly yes?: boolean
}

const usage = (message: string) => new CommandError(exitCodes.usage, message)

/**
 * `entity import TAG FILE`, `entity import --resume JOB`: a screen on a terminal, else plain lines
 * and the job on stdout.
 */
export async function importRows(
  line: CommandLine,
  tag: string | undefined,
  path: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  const screen = line.interactive && !line.output.json && flags.yes !== true && path !== '-'
  if (flags.resume === undefined && (tag === undefined || (path === undefined && !screen)))
    throw usage(t(line.locale, 'cli.tr.needFile'))
  if (flags.results !== undefined) await assertFree(line, flags.results)
  const { api } = connect(line)
  const files = sheetFiles()
  const input =
    flags.resume === undefined
      ? await prepareImport(line, api, files, tag ?? '', path, flags, screen)
      : await reopenImport(line, api, flags.resume, flags)
  const job = screen
    ? await onScreen(line, api, files, input, flags.results)
    : await offTerminal(line, api, files, input, flags)
  if (job === null) return
  if (!screen) await keepResult(line, api, job, flags)
  const lines = jobLines(job, line.locale)
  if (!screen) {
    for (const text of line.output.json ? [] : lines) line.output.talk(text)
    if (flags.results !== '-') line.output.object(job)
  }
  // On a terminal the screen has shown the result: print it only to a pipe.
  else if (!line.output.toTerminal) line.output.object(job)
  const code = exitCodeOfJob(job)
  if (code !== exitCodes.done) throw new CommandError(code, '')
}

async function prepareImport(
  line: CommandLine,
  api: Api,
  files: SheetFiles,
  tag: string,
  path: string | undefined,
  flags: ImportFlags,
  screen: boolean,
): Promise<TransferInput> {
  const [choices, mapping, file] = [
    parseImportChoices(flags, line),
    withJoins(await readMapping(flags.mapping, line), flags, line),
    path === undefined ? null : await readFileFacts(path, files, flags, line),
  ]
  return {
    tag,
    kind: 'import',
    file,
    choices,
    mapping,
    fixed: parseFixed(flags, line),
    reading: parseReading(flags),
    modes: await loadImportModes(api, tag, line.signal),
    pauseAt: screen || choices.dryRun === true ? 'review' : 'none',
  }
}

function parseImportChoices(flags: ImportFlags, line: CommandLine): Partial<ImportChoices> {
  const mode: ImportMode | undefined = parseChoice('--mode', flags.mode, importModes, line)
  const onError: OnError | undefined = parseChoice(
    '--on-error',
    flags.onError,
    onErrorChoices,
    line,
  )
  const empty: EmptyMeaning | undefined = parseChoice('--empty', flags.empty, emptyMeanings, line)
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(flags.key === undefined ? {} : { key: flags.key }),
    ...(onError === undefined ? {} : { onError }),
    ...(empty === undefined ? {} : { empty }),
    ...(flags.dryRun === true ? { dryRun: true } : {}),
  }
}

/** `--set`: texts as in a cell; null without any. */
function parseFixed({ set = [] }: ImportFlags, line: CommandLine): FixedValues | null {
  return set.length === 0
    ? null
    : Object.fromEntries(set.map((text) => splitPair('--set', text, line)))
}

/** `--join` adds to a mapping by headings; one by numbers joins columns itself. */
function withJoins(
  mapping: ImportMapping | null,
  { join = [] }: ImportFlags,
  line: CommandLine,
): ImportMapping | null {
  if (join.length === 0) return mapping
  if (Array.isArray(mapping)) throw usage(t(line.locale, 'cli.tr.joinList'))
  return { ...mapping, ...Object.fromEntries(join.map((text) => splitPair('--join', text, line))) }
}

function splitPair(option: string, text: string, line: CommandLine): readonly [string, string] {
  const at = text.lastIndexOf('=')
  const isSet = option === '--set'
  const cut = isSet ? text.indexOf('=') : at
  if (cut < 1 || (!isSet && !text.slice(0, cut).includes('+')))
    throw usage(t(line.locale, 'cli.tr.badPair', { option, text }))
  return [text.slice(0, cut).trim(), text.slice(cut + 1).trim()]
}

/** `--sheet`, `--heading` and `--leave-hidden`; the server checks them. */
function parseReading({ sheet = [], heading, leaveHidden }: ImportFlags): ImportReading | null {
  return sheet.length === 0 && heading === undefined && leaveHidden !== true
    ? null
    : {
        ...(sheet.length === 0 ? {} : { sheets: [...sheet] }),
        ...(heading === undefined ? {} : { heading: Number(heading) }),
        ...(leaveHidden === true ? { leaveHidden } : {}),
      }
}

function parseChoice<T extends string>(
  option: string,
  value: string | undefined,
  all: readonly T[],
  { locale }: CommandLine,
): T | undefined {
  if (value === undefined) return undefined
  const found = all.find((each) => each === value)
  if (found === undefined) throw usage(t(locale, 'cli.tr.badChoice', { option, value }))
  return found
}

/** The JSON of `--mapping`, or of the file after `@`. The server checks its content. */
async function readMapping(
  text: string | undefined,
  { locale }: CommandLine,
): Promise<ImportMapping | null> {
  if (text === undefined) return null
  const path = text.startsWith('@') ? text.slice(1) : null
  const json = path === null ? text : await readText(path, locale)
  try {
    return parseJson(json) as ImportMapping
  } catch {
    throw usage(t(locale, 'cli.tr.badMapping'))
  }
}

async function readFileFacts(
  path: string,
  files: SheetFiles,
  flags: ImportFlags,
  line: CommandLine,
): Promise<FileFacts> {
  const format = parseChoice<ImportFormat>('--format', flags.format, importFormats, line)
  if (path === '-') return files.fromStdin(format ?? null)
  const facts = await readFileStats(path)
  if (facts === null)
    throw usage(t(line.locale, 'cli.cannotRead', { path, reason: await whyNot(path, line) }))
  return format === undefined || facts.name.endsWith(`.${format}`)
    ? facts
    : { ...facts, name: `${facts.name}.${format}` }
}

function whyNot(path: string, { locale }: CommandLine): Promise<string> {
  return access(path).then(
    () => t(locale, 'cli.why.folder'),
    (error: unknown) => fileFault(locale, error),
  )
}

/** The modes the user may use: `insert` needs add, `update` update, `upsert` both. */
async function loadImportModes(
  api: Api,
  tag: string,
  signal: AbortSignal,
): Promise<readonly ImportMode[]> {
  const { permissions } = await api.entityData.config({ params: { tag }, signal })
  const [add, update] = [
    may(permissions, entityPermission(tag, 'add')),
    may(permissions, entityPermission(tag, 'update')),
  ]
  return importModes.filter((mode) =>
    mode === 'insert' ? add : mode === 'update' ? update : add && update,
  )
}

/** An earlier job, with the choices of the flags. */
async function reopenImport(
  line: CommandLine,
  api: Api,
  id: string,
  flags: ImportFlags,
): Promise<TransferInput> {
  const [{ key, ...choices }, mapping] = [
    parseImportChoices(flags, line),
    withJoins(await readMapping(flags.mapping, line), flags, line),
  ]
  const fixed = parseFixed(flags, line)
  const isChanged =
    key !== undefined || Object.keys(choices).length > 0 || mapping !== null || fixed !== null
  const job = isChanged
    ? await api.job.resume({
        params: { id },
        body: {
          ...choices,
          ...(key === undefined || key === null ? {} : { key }),
          ...(mapping === null ? {} : { mapping }),
          ...(fixed === null ? {} : { fixed }),
          pauseAt: 'review',
        },
        signal: line.signal,
      })
    : await api.job.get({ params: { id }, signal: line.signal })
  line.output.talk(t(line.locale, 'cli.tr.resumed', { id, tag: job.tag, name: job.fileName }))
  return { tag: job.tag, kind: 'import', job: id }
}

/**
 * Runs the screen; left before the job ends, it prints how to resume.
 * @returns the last state of the job
 */
async function onScreen(
  line: CommandLine,
  api: Api,
  files: SheetFiles,
  input: TransferInput,
  results: string | undefined,
): Promise<Job | null> {
  const { loadScreen } = await import('../../screens/load-screen.ts')
  const [{ runScreen }, { TransferScreen }, { createElement }] = await loadScreen(line, () =>
    Promise.all([
      import('../../screens/run-screen.tsx'),
      import('../../screens/transfer/transfer-screen.tsx'),
      import('react'),
    ]),
  )
  let saved: string | null = null
  const { actor } = startTransfer(line, api, files, input, {
    output: undefined,
    results,
    savedTo: (path) => {
      saved = path
    },
  })
  try {
    await runScreen<null>(line, (left) =>
      createElement(TransferScreen, {
        actor,
        locale: line.locale,
        factsOf: readFileStats,
        savedTo: () => saved,
        leave: () => left(null),
      }),
    )
  } catch (error) {
    throw await leftError(line, api, transferView(actor.getSnapshot()), error)
  } finally {
    actor.stop()
  }
  const { job } = transferView(actor.getSnapshot())
  const left = await leftWords(line, api, job)
  if (left !== null) line.output.talk(left)
  return transferView(actor.getSnapshot()).job
}

async function offTerminal(
  line: CommandLine,
  api: Api,
  files: SheetFiles,
  input: TransferInput,
  flags: ImportFlags,
): Promise<Job> {
  const { actor, fault } = startTransfer(line, api, files, input, {
    output: undefined,
    results: undefined,
    savedTo: () => {},
  })
  try {
    return await runImport(line, actor, {
      yes: flags.yes === true,
      resumed: flags.resume !== undefined,
      fault,
    })
  } catch (error) {
    throw await leftError(line, api, transferView(actor.getSnapshot()), error)
  } finally {
    actor.stop()
  }
}

/** Words the future of a job that the command leaves; null when it is over. */
async function leftWords(
  { locale }: CommandLine,
  api: Api,
  seen: Job | null,
): Promise<string | null> {
  if (seen === null || isOver(seen)) return null
  // The signal of the command may be aborted.
  const job = await api.job
    .get({ params: { id: seen.id }, signal: AbortSignal.timeout(3000) })
    .catch(() => seen)
  return isOver(job) ? jobLines(job, locale).join('\n') : leftText(locale, job)
}

/** The error of a command that ends before its job: on Ctrl-C it says what becomes of the job. */
async function leftError(
  line: CommandLine,
  api: Api,
  { job, step }: TransferView,
  error: unknown,
): Promise<unknown> {
  const left =
    // The file may have arrived before its request was ended.
    job === null && step === 'uploading'
      ? t(line.locale, 'cli.tr.uploadLeft')
      : await leftWords(line, api, job)
  if (left === null) return error
  if (line.signal.aborted) return new CommandError(exitCodes.interrupted, left)
  line.output.talk(left)
  return error
}

const isOver = ({ status }: Job): boolean => status === 'done' || status === 'cancelled'

async function keepResult(
  line: CommandLine,
  api: Api,
  job: Job,
  { results, onlyWrong }: ImportFlags,
): Promise<void> {
  if (results === undefined || !job.can.result) return
  const ending = extname(results).slice(1).toLowerCase()
  const format =
    importFormats.find((each) => each === ending) ?? (results === '-' ? 'ndjson' : job.format)
  const { path } = await saveFile(
    line,
    await api.job.result({
      params: { id: job.id },
      query: { format, only: onlyWrong === true ? 'wrong' : 'all' },
      signal: line.signal,
    }),
    results,
    `${job.id}.${format}`,
  )
  if (path !== '-') line.output.talk(t(line.locale, 'cli.tr.saved', { path }))
}
