import { type Problem, toProblem } from '@jiaowu/api/problem'
import { useCallback, useEffect, useRef, useState } from 'react'

export interface Load<T> {
  readonly data: T | null
  readonly problem: Problem | null
  readonly reload: () => void
}

/**
 * Reads once per `key` and on `reload`, keeping the old data until the new data arrives. A null key
 * reads nothing.
 */
export function useLoad<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>): Load<T> {
  const [data, setData] = useState<T | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [reloads, setReloads] = useState(0)
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    if (key === null) return undefined
    const request = new AbortController()
    latest.current(request.signal).then(
      (found) => {
        setData(found)
        setProblem(null)
      },
      (error: unknown) => {
        if (!request.signal.aborted) setProblem(toProblem(error))
      },
    )
    return () => request.abort()
  }, [key, reloads])
  return { data, problem, reload: useCallback(() => setReloads((n) => n + 1), []) }
}
