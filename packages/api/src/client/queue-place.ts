import { newKey } from './new-key.ts'

/** Where a sign-in stands among those that wait on the server. */
export interface QueuePlace {
  readonly before: number
  readonly seconds: number
}

/** Milliseconds before the first question, and between two. */
const [first, every] = [1_500, 3_000]

interface Turn<T> {
  /** The sign-in, which names the key. */
  readonly work: (waitKey: string) => Promise<T>
  readonly ask: (key: string, signal: AbortSignal) => Promise<QueuePlace | null>
  /** Null: it does not wait, or not any more. */
  readonly tell: (place: QueuePlace | null) => void
}

/** Signs in, and tells the place in the queue while that takes long. */
export async function signInByTurn<T>({ work, ask, tell }: Turn<T>): Promise<T> {
  const key = newKey()
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const look = async () => {
    // Another server may hold the sign-in, and a proxy may refuse the question.
    const place = await ask(key, ended.signal).catch(() => null)
    if (ended.signal.aborted) return
    tell(place)
    timer = setTimeout(() => void look(), every)
  }
  timer = setTimeout(() => void look(), first)
  try {
    return await work(key)
  } finally {
    ended.abort()
    clearTimeout(timer)
    tell(null)
  }
}
