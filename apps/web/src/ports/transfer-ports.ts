import { mendBody } from '@jiaowu/machines/transfer/choices'
import type { ImportChoices, TransferPorts } from '@jiaowu/machines/transfer/ports'
import type { Services } from '../app/api-context.ts'

type Dependencies = Pick<Services, 'api' | 'saveFile'>

/** Receives the progress of an upload and of an export, in bytes. */
interface ProgressListeners {
  readonly onSent: (bytes: number) => void
  readonly onReceived: (bytes: number, rows: number | null) => void
  /** The reason for an export of personal data unmasked; null for a masked one. */
  readonly revealFor?: () => string | null
}

/**
 * Keeps the files the user chose, so that the machine holds only plain data: key, name and size.
 */
export function createFileRegistry() {
  const files = new Map<string, File>()
  return {
    add: (file: File) => {
      files.set(file.name, file)
      return { key: file.name, name: file.name, size: file.size }
    },
    get: (key: string) => files.get(key) ?? new File([], ''),
  }
}

export type FileRegistry = ReturnType<typeof createFileRegistry>

/** Ports of the transfer machine (import and export) over HTTP. */
export function transferPorts(
  { api, saveFile }: Dependencies,
  files: FileRegistry,
  { onSent, onReceived, revealFor = () => null }: ProgressListeners,
): TransferPorts {
  return {
    recall: async ({ tag, pageNum, pageSize }, signal) => {
      const [page, remembered] = await Promise.all([
        api.job.list({ query: { tag, pageNum, pageSize }, signal }),
        api.job.remembered({ params: { tag }, signal }),
      ])
      return { jobs: page.records, total: page.total, remembered }
    },
    upload: ({ tag, file, format, choices, mapping, fixed, reading, pauseAt }, signal) =>
      api.job.import({
        params: { tag },
        body: {
          file: files.get(file.key),
          ...(format === null ? {} : { format }),
          ...wireChoices(choices),
          pauseAt,
          ...(mapping === null ? {} : { mapping: JSON.stringify(mapping) }),
          ...(fixed === null ? {} : { fixed: JSON.stringify(fixed) }),
          ...(reading === null ? {} : { reading: JSON.stringify(reading) }),
        },
        signal,
        onSent,
      }),
    readJob: ({ id }, signal) => api.job.get({ params: { id }, signal }),
    resumeJob: ({ id, choices, mapping, fixed, reading, mend, pauseAt, confirm }, signal) =>
      mend !== null
        ? api.job.mend({ params: { id }, body: mendBody(mend), signal })
        : api.job.resume({
            params: { id },
            body: {
              ...wireChoices(choices),
              ...(mapping === null ? {} : { mapping }),
              ...(fixed === null ? {} : { fixed }),
              ...(reading === null ? {} : { reading }),
              ...(pauseAt === null ? {} : { pauseAt }),
              ...(confirm ? { confirm } : {}),
            },
            signal,
          }),
    cancelJob: ({ id }, signal) => api.job.cancel({ params: { id }, signal }),
    loadRows: ({ id, verdict, pageNum, pageSize }, signal) =>
      api.job.rows({ params: { id }, query: { verdict, pageNum, pageSize }, signal }),
    saveFile: async (request, signal) => {
      const file =
        request.what === 'template'
          ? await api.entityData.template({ params: { tag: request.tag }, signal })
          : await api.job.result({
              params: { id: request.id },
              query: { format: request.format, only: request.only },
              signal,
            })
      await saveFile(file, undefined, signal)
    },
    exportSheet: exportSheetPort({ api, saveFile }, onReceived, revealFor),
  }
}

/**
 * Export of all pages (`pageNum` and `pageSize` -1) into a file; resolves with its bytes and rows.
 */
function exportSheetPort(
  { api, saveFile }: Dependencies,
  onReceived: ProgressListeners['onReceived'],
  revealFor: () => string | null,
): TransferPorts['exportSheet'] {
  return async ({ tag, query, format, columns }, signal) => {
    const reason = revealFor()
    const file = await api.entityData.export({
      params: { tag },
      body: {
        pageNum: -1,
        pageSize: -1,
        sorts: [...query.sorts],
        queries: { ...query.queries },
        ...(query.where === undefined ? {} : { where: query.where }),
        format,
        ...(columns === null ? {} : { columns: [...columns] }),
        ...(reason === null ? {} : { reveal: true, reason }),
      },
      signal,
    })
    let received = 0
    await saveFile(
      file,
      (bytes) => {
        received = bytes
        onReceived(bytes, file.rows)
      },
      signal,
    )
    return { bytes: received, rows: file.rows }
  }
}

/** Only the choices that are set: the server keeps its own for the others. */

function wireChoices({ mode, key, onError, empty, dryRun }: Partial<ImportChoices>) {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(key === undefined || key === null ? {} : { key }),
    ...(onError === undefined ? {} : { onError }),
    ...(empty === undefined ? {} : { empty }),
    ...(dryRun === undefined ? {} : { dryRun }),
  }
}
