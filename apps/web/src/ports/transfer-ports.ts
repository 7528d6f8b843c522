import type { ImportChoices, TransferPorts } from '@jiaowu/machines'
import type { App } from '../shell/context/app-context.tsx'

type Hands = Pick<App, 'api' | 'saveFile'>

/** Files the person chose, kept here while the machine holds only what they are called. */
export function createFileShelf() {
  const files = new Map<string, File>()
  return {
    keep: (file: File) => {
      files.set(file.name, file)
      return { key: file.name, name: file.name, size: file.size }
    },
    take: (key: string) => files.get(key) ?? new File([], ''),
  }
}

export type FileShelf = ReturnType<typeof createFileShelf>

/** The way of an import or export out into the world. */
export function transferPorts(
  { api, saveFile }: Hands,
  shelf: FileShelf,
  told: {
    readonly onSent: (bytes: number) => void
    readonly onReceived: (bytes: number, rows: number | null) => void
  },
): TransferPorts {
  return {
    recall: async ({ tag, pageNum, pageSize }, signal) => {
      const [page, remembered] = await Promise.all([
        api.job.list({ query: { tag, pageNum, pageSize }, signal }),
        api.job.remembered({ params: { tag }, signal }),
      ])
      return { jobs: page.records, total: page.total, remembered }
    },
    upload: ({ tag, file, format, choices, mapping, pauseAt }, signal) =>
      api.job.import({
        params: { tag },
        body: {
          file: shelf.take(file.key),
          format,
          ...sent(choices),
          pauseAt,
          ...(mapping === null ? {} : { mapping: JSON.stringify(mapping) }),
        },
        signal,
        onSent: told.onSent,
      }),
    readJob: ({ id }, signal) => api.job.get({ params: { id }, signal }),
    resumeJob: ({ id, choices, mapping, pauseAt, confirm }, signal) =>
      api.job.resume({
        params: { id },
        body: {
          ...sent(choices),
          ...(mapping === null ? {} : { mapping }),
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
    exportSheet: async ({ tag, query, format, columns }, signal) => {
      const file = await api.entityData.export({
        params: { tag },
        body: {
          pageNum: -1,
          pageSize: -1,
          sorts: [...query.sorts],
          queries: { ...query.queries },
          format,
          ...(columns === null ? {} : { columns: [...columns] }),
        },
        signal,
      })
      let received = 0
      await saveFile(
        file,
        (bytes) => {
          received = bytes
          told.onReceived(bytes, file.rows)
        },
        signal,
      )
      return { bytes: received, rows: file.rows }
    },
  }
}

function sent({ mode, key, onError, empty, dryRun }: Partial<ImportChoices>) {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(key === undefined || key === null ? {} : { key }),
    ...(onError === undefined ? {} : { onError }),
    ...(empty === undefined ? {} : { empty }),
    ...(dryRun === undefined ? {} : { dryRun }),
  }
}
