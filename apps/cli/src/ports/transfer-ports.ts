import { type ExportFormat, type FileReply, limits } from '@jiaowu/api'
import {
  type SheetSaved,
  transferActors,
  transferMachine,
  type TransferInput,
  type TransferPorts,
} from '@jiaowu/machines'
import { createActor } from 'xstate'
import type { CommandLine } from '../command-line.ts'
import type { Api } from '../session/connect.ts'
import { saveFile } from '../files/save-file.ts'
import type { TransferActor } from '../screens/transfer/screen-props.ts'
import type { SheetFiles } from '../entities/import/sheet-file.ts'

/** Where files of a transfer are put; undefined: under the name the server gives. `-` is stdout. */
export interface Targets {
  readonly output: string | undefined
  readonly results: string | undefined
  readonly savedTo: (path: string) => void
}
/** A fault of this machine, not of the server or the way to it: the disk is full, a folder is not there. */
export interface LocalFault {
  error: unknown
}

const sheetName = (tag: string, format: ExportFormat | 'xlsx') => `${tag}.${format}`

/** The transfer machine with a terminal's ports. What goes wrong here and not at the server is kept in `fault`. */
export function startTransfer(
  line: CommandLine,
  api: Api,
  files: SheetFiles,
  input: TransferInput,
  targets: Targets,
): { readonly actor: TransferActor; readonly fault: LocalFault } {
  const fault: LocalFault = { error: null }
  let actor: TransferActor | null = null
  const both = (signal: AbortSignal) => AbortSignal.any([signal, line.signal])
  const here = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      fault.error = error
      throw error
    }
  }
  const save = (
    file: FileReply,
    wanted: string | undefined,
    fallback: string,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
  ) => here(saveFile({ locale: line.locale, signal }, file, wanted, fallback, onBytes))
  const receive = async (
    reply: FileReply,
    wanted: string | undefined,
    fallback: string,
    signal: AbortSignal,
  ): Promise<SheetSaved & { readonly path: string }> => {
    const { path, bytes } = await save(
      reply,
      wanted,
      fallback,
      (received) => actor?.send({ type: 'export.progress', bytes: received, rows: reply.rows }),
      signal,
    )
    return { path, bytes, rows: reply.rows }
  }
  const ports: TransferPorts = {
    recall: async ({ tag, pageNum, pageSize }, signal) => {
      const [page, remembered] = await Promise.all([
        api.job.list({
          query: { ...(tag === '' ? {} : { tag }), pageNum, pageSize },
          signal: both(signal),
        }),
        api.job.remembered({ params: { tag }, signal: both(signal) }),
      ])
      return { jobs: page.records, total: page.total, remembered }
    },
    upload: async ({ tag, file, format, choices: { key, ...choices }, mapping, pauseAt }, signal) =>
      api.job.import({
        params: { tag },
        signal: both(signal),
        onSent: (sent) => actor?.send({ type: 'upload.progress', sent }),
        body: {
          file: await here(files.open(file)),
          format,
          ...choices,
          pauseAt,
          ...(key === null ? {} : { key }),
          ...(mapping === null ? {} : { mapping: JSON.stringify(mapping) }),
        },
      }),
    readJob: ({ id }, signal) => api.job.get({ params: { id }, signal: both(signal) }),
    resumeJob: ({ id, choices: { key, ...choices }, mapping, pauseAt, confirm }, signal) =>
      api.job.resume({
        params: { id },
        signal: both(signal),
        body: {
          ...choices,
          ...(key === undefined || key === null ? {} : { key }),
          ...(mapping === null ? {} : { mapping }),
          ...(pauseAt === null ? {} : { pauseAt }),
          ...(confirm ? { confirm } : {}),
        },
      }),
    cancelJob: ({ id }, signal) => api.job.cancel({ params: { id }, signal: both(signal) }),
    loadRows: async ({ id, verdict, pageNum, pageSize }, signal) => {
      const { records, total } = await api.job.rows({
        params: { id },
        query: { verdict, pageNum, pageSize },
        signal: both(signal),
      })
      return { records, total }
    },
    saveFile: async (wanted, signal) => {
      const { path } =
        wanted.what === 'template'
          ? await save(
              await api.entityData.template({ params: { tag: wanted.tag }, signal: both(signal) }),
              targets.output,
              sheetName(wanted.tag, 'xlsx'),
              () => {},
              both(signal),
            )
          : await save(
              await api.job.result({
                params: { id: wanted.id },
                query: { format: wanted.format, only: wanted.only },
                signal: both(signal),
              }),
              targets.results,
              `${wanted.id}.${wanted.format}`,
              () => {},
              both(signal),
            )
      targets.savedTo(path)
    },
    exportSheet: async ({ tag, query, format, columns }, signal) => {
      const reply = await api.entityData.export({
        params: { tag },
        body: {
          pageNum: -1,
          pageSize: -1,
          format,
          queries: query.queries,
          sorts: [...query.sorts],
          ...(columns === null ? {} : { columns: [...columns] }),
        },
        signal: both(signal),
      })
      const { path, ...saved } = await receive(
        reply,
        targets.output,
        sheetName(tag, format),
        both(signal),
      )
      targets.savedTo(path)
      return saved
    },
  }
  actor = createActor(transferMachine.provide({ actors: transferActors(ports) }), { input })
  actor.start()
  return { actor, fault }
}

/** How long a job may go unanswered before a command off a terminal gives up, in tries. */
export const patience = Math.ceil(60_000 / limits.jobRetry)
