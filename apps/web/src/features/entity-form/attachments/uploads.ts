/**
 * An upload; `sent` in bytes. A refused one stays with its reason until it is retried or removed.
 */
export interface Upload {
  readonly key: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'refused'
  readonly sent: number
  readonly fault: string | null
}
interface UploadDependencies {
  /** Sends one file; a rejection is described by `explain`. */
  readonly send: (
    file: File,
    onSent: (bytes: number) => void,
    signal: AbortSignal,
  ) => Promise<unknown>
  /** The reason not to send a file; null: send it. */
  readonly refuse: (file: File) => string | null
  readonly explain: (error: unknown) => string
  readonly onChange: (uploads: readonly Upload[]) => void
  readonly onSaved: (file: File) => void
}
/** Uploads at the same time: while one is stored by the server, the other uses the connection. */
const concurrency = 2

/** A queue of uploads, each with its own progress, failure and retry. */
export function createUploads({ send, refuse, explain, onChange, onSaved }: UploadDependencies) {
  let uploads: readonly Upload[] = []
  let last = 0
  const running = new Map<number, AbortController>()
  const publish = (next: readonly Upload[]) => {
    uploads = next
    onChange(uploads)
  }
  const patch = (key: number, change: Partial<Upload>) =>
    publish(uploads.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const drop = (key: number) => publish(uploads.filter((each) => each.key !== key))
  const begin = ({ key, file }: Upload) => {
    const stop = new AbortController()
    running.set(key, stop)
    patch(key, { state: 'sending', sent: 0, fault: null })
    send(file, (sent) => patch(key, { sent }), stop.signal)
      .then(
        () => {
          drop(key)
          onSaved(file)
        },
        (error: unknown) => {
          if (!stop.signal.aborted) patch(key, { state: 'refused', fault: explain(error) })
        },
      )
      .finally(() => {
        running.delete(key)
        next()
      })
  }
  const next = () => {
    for (const each of uploads)
      if (each.state === 'waiting' && running.size < concurrency) begin(each)
  }
  return {
    add: (files: readonly File[]) => {
      publish([
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
      patch(key, { state: 'waiting', fault: null })
      next()
    },
    /** Removes an upload from the list and aborts it if it is running. */
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
