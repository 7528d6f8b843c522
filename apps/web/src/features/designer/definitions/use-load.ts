import { type Problem, problemOf } from '@jiaowu/api'
import { useCallback, useEffect, useRef, useState } from 'react'

export interface Load<T> {
  readonly data: T | null
  readonly problem: Problem | null
  readonly again: () => void
}

/** Reads once per `key`, and again when asked; what was read stays in sight meanwhile. A null key reads nothing. */
export function useLoad<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>): Load<T> {
  const [data, setData] = useState<T | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [tries, setTries] = useState(0)
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    if (key === null) return undefined
    const stop = new AbortController()
    latest.current(stop.signal).then(
      (found) => {
        setData(found)
        setProblem(null)
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setProblem(problemOf(error))
      },
    )
    return () => stop.abort()
  }, [key, tries])
  return { data, problem, again: useCallback(() => setTries((n) => n + 1), []) }
}
