/** A file on its way. `sent` in bytes; a refused one stays with its reason until it is sent again or dismissed. */
export interface Upload {
  readonly key: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'refused'
  readonly sent: number
  readonly fault: string | null
}
interface Ways {
  /** Sends one file. Rejects with anything `explain` can put into words. */
  readonly send: (
    file: File,
    onSent: (bytes: number) => void,
    signal: AbortSignal,
  ) => Promise<unknown>
  /** Why a file is not even sent; null: it may be. */
  readonly refuse: (file: File) => string | null
  readonly explain: (error: unknown) => string
  readonly onChange: (uploads: readonly Upload[]) => void
  readonly onSaved: (file: File) => void
}
/** Two at a time: one keeps the line busy while the other is being stored. */
const lanes = 2

/** Files to upload, several at once, each with its own progress, end and second try. */
export function createUploads({ send, refuse, explain, onChange, onSaved }: Ways) {
  let uploads: readonly Upload[] = []
  let last = 0
  const running = new Map<number, AbortController>()
  const tell = (next: readonly Upload[]) => {
    uploads = next
    onChange(uploads)
  }
  const put = (key: number, change: Partial<Upload>) =>
    tell(uploads.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const drop = (key: number) => tell(uploads.filter((each) => each.key !== key))
  const begin = ({ key, file }: Upload) => {
    const stop = new AbortController()
    running.set(key, stop)
    put(key, { state: 'sending', sent: 0, fault: null })
    send(file, (sent) => put(key, { sent }), stop.signal)
      .then(
        () => {
          drop(key)
          onSaved(file)
        },
        (error: unknown) => {
          if (!stop.signal.aborted) put(key, { state: 'refused', fault: explain(error) })
        },
      )
      .finally(() => {
        running.delete(key)
        next()
      })
  }
  const next = () => {
    for (const each of uploads) if (each.state === 'waiting' && running.size < lanes) begin(each)
  }
  return {
    add: (files: readonly File[]) => {
      tell([
        ...uploads,
        ...files.map((file): Upload => {
          last += 1
          const fault = refuse(file)
          return { key: last, file, state: fault === null ? 'waiting' : 'refused', sent: 0, fault }
        }),
      ])
      next()
    },
    retry: (key: number) => {
      put(key, { state: 'waiting', fault: null })
      next()
    },
    /** Takes it from the list, and breaks it off when it is under way. */
    remove: (key: number) => {
      running.get(key)?.abort()
      drop(key)
    },
    stop: () => {
      for (const each of running.values()) each.abort()
      uploads = []
    },
  }
}
export type Uploads = ReturnType<typeof createUploads>
