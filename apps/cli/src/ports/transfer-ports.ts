import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { FileReply } from '@jiaowu/api/endpoint'
import { limits } from '@jiaowu/api/limits'
import { mendBody } from '@jiaowu/machines/transfer/choices'
import { transferActors, type TransferPorts } from '@jiaowu/machines/transfer/ports'
import { transferMachine } from '@jiaowu/machines/transfer/machine'
import type { TransferInput } from '@jiaowu/machines/transfer/context'
import { createActor } from 'xstate'
import type { CommandLine } from '../command-line.ts'
import type { Api } from '../session/api.ts'
import { saveFile } from '../files/save-file.ts'
import type { TransferActor } from '../screens/transfer/screen-props.ts'
import type { SheetFiles } from '../entities/import/sheet-file.ts'

/**
 * Targets of the files of a transfer: a path, `-` for stdout, or undefined for the name that the
 * server gives.
 */
export interface Targets {
  readonly output: string | undefined
  readonly results: string | undefined
  readonly savedTo: (path: string) => void
  /** Exports personal data unmasked, for this reason. */
  readonly revealFor?: string | undefined
}

/**
 * Last error of this computer (disk full, missing folder), as opposed to errors of the server or
 * the network.
 */
export interface LocalFault {
  error: unknown
}

/** State that the ports need; `actor` is set once the machine has started. */
interface Context {
  readonly line: CommandLine
  readonly api: Api
  readonly files: SheetFiles
  readonly targets: Targets
  readonly fault: LocalFault
  actor: TransferActor | null
}

/**
 * Starts the transfer machine with the terminal's ports. Errors of this computer are stored in
 * `fault`.
 */
export function startTransfer(
  line: CommandLine,
  api: Api,
  files: SheetFiles,
  input: TransferInput,
  targets: Targets,
): { readonly actor: TransferActor; readonly fault: LocalFault } {
  const fault: LocalFault = { error: null }
  const context: Context = { line, api, files, targets, fault, actor: null }
  const ports: TransferPorts = {
    ...jobPorts(context),
    upload: uploadPort(context),
    saveFile: saveFilePort(context),
    exportSheet: exportSheetPort(context),
  }
  const actor = createActor(transferMachine.provide({ actors: transferActors(ports) }), { input })
  context.actor = actor
  actor.start()
  return { actor, fault }
}

/**
 * Number of retries after which a command without a terminal gives up on a job that the server does
 * not report.
 */
export const maxLostPolls = Math.ceil(60_000 / limits.jobRetry)

function jobPorts({
  line,
  api,
}: Context): Pick<TransferPorts, 'recall' | 'readJob' | 'resumeJob' | 'cancelJob' | 'loadRows'> {
  return {
    recall: async ({ tag, pageNum, pageSize }, own) => {
      const signal = combineSignals(line, own)
      const [page, remembered] = await Promise.all([
        api.job.list({ query: { ...(tag === '' ? {} : { tag }), pageNum, pageSize }, signal }),
        api.job.remembered({ params: { tag }, signal }),
      ])
      return { jobs: page.records, total: page.total, remembered }
    },
    readJob: ({ id }, own) => api.job.get({ params: { id }, signal: combineSignals(line, own) }),
    resumeJob: (
      { id, choices: { key, ...choices }, mapping, fixed, reading, mend, ...rest },
      own,
    ) =>
      mend !== null
        ? api.job.mend({ params: { id }, body: mendBody(mend), signal: combineSignals(line, own) })
        : api.job.resume({
            params: { id },
            signal: combineSignals(line, own),
            body: {
              ...choices,
              ...(key === undefined || key === null ? {} : { key }),
              ...(mapping === null ? {} : { mapping }),
              ...(fixed === null ? {} : { fixed }),
              ...(reading === null ? {} : { reading }),
              ...(rest.pauseAt === null ? {} : { pauseAt: rest.pauseAt }),
              ...(rest.confirm ? { confirm: rest.confirm } : {}),
            },
          }),
    cancelJob: ({ id }, own) =>
      api.job.cancel({ params: { id }, signal: combineSignals(line, own) }),
    loadRows: async ({ id, verdict, pageNum, pageSize }, own) => {
      const { records, total } = await api.job.rows({
        params: { id },
        query: { verdict, pageNum, pageSize },
        signal: combineSignals(line, own),
      })
      return { records, total }
    },
  }
}

/** Aborts with the port's own signal and with that of the command (Ctrl-C). */
function combineSignals(line: CommandLine, own: AbortSignal): AbortSignal {
  return AbortSignal.any([own, line.signal])
}

function uploadPort(context: Context): TransferPorts['upload'] {
  const { line, api, files } = context
  return async (
    { tag, file, format, choices: { key, ...choices }, mapping, fixed, reading, pauseAt },
    own,
  ) =>
    api.job.import({
      params: { tag },
      signal: combineSignals(line, own),
      onSent: (sent) => context.actor?.send({ type: 'upload.progress', sent }),
      body: {
        file: await local(context, files.open(file)),
        ...(format === null ? {} : { format }),
        ...choices,
        pauseAt,
        ...(key === null ? {} : { key }),
        ...(mapping === null ? {} : { mapping: JSON.stringify(mapping) }),
        ...(fixed === null ? {} : { fixed: JSON.stringify(fixed) }),
        ...(reading === null ? {} : { reading: JSON.stringify(reading) }),
      },
    })
}

/** Runs work on this computer and records its error in `fault`. */
async function local<T>({ fault }: Context, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    fault.error = error
    throw error
  }
}

function saveFilePort(context: Context): TransferPorts['saveFile'] {
  const { line, api, targets } = context
  return async (request, own) => {
    const signal = combineSignals(line, own)
    const save = (reply: FileReply, target: string | undefined, name: string) =>
      // The command has asked before it began; a person may save the same results again.
      local(context, saveFile({ ...line, overwrites: true, signal }, reply, target, name))
    const { path } =
      request.what === 'template'
        ? await save(
            await api.entityData.template({ params: { tag: request.tag }, signal }),
            targets.output,
            sheetName(request.tag, 'xlsx'),
          )
        : await save(
            await api.job.result({
              params: { id: request.id },
              query: { format: request.format, only: request.only },
              signal,
            }),
            targets.results,
            `${request.id}.${request.format}`,
          )
    targets.savedTo(path)
  }
}

function exportSheetPort(context: Context): TransferPorts['exportSheet'] {
  const { line, api, targets } = context
  return async ({ tag, query, format, columns }, own) => {
    const signal = combineSignals(line, own)
    const reply = await api.entityData.export({
      params: { tag },
      body: {
        pageNum: -1,
        pageSize: -1,
        format,
        queries: query.queries,
        sorts: [...query.sorts],
        where: query.where,
        ...(columns === null ? {} : { columns: [...columns] }),
        ...(targets.revealFor === undefined ? {} : { reveal: true, reason: targets.revealFor }),
      },
      signal,
    })
    const onBytes = (received: number) =>
      context.actor?.send({ type: 'export.progress', bytes: received, rows: reply.rows })
    const { path, bytes } = await local(
      context,
      saveFile({ ...line, signal }, reply, targets.output, sheetName(tag, format), onBytes),
    )
    targets.savedTo(path)
    return { bytes, rows: reply.rows }
  }
}

function sheetName(tag: string, format: ExportFormat | 'xlsx'): string {
  return `${tag}.${format}`
}
