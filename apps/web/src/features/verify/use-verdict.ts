import { type DocumentVerdict, type Problem, problemOf } from '@jiaowu/api'
import { useCallback, useEffect, useState } from 'react'
import type { Api } from '../../ports/index.ts'

export type Verdict =
  | { readonly step: 'idle' }
  | { readonly step: 'checking' }
  | { readonly step: 'told'; readonly verdict: DocumentVerdict }
  | { readonly step: 'failed'; readonly problem: Problem }

/** What the school says about a code; asked again by `again`. An answer that comes after the next question is dropped. */
export function useVerdict(
  api: Api,
  code: string | null,
): { readonly state: Verdict; readonly again: () => void } {
  const [state, setState] = useState<Verdict>({ step: code === null ? 'idle' : 'checking' })
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn((count) => count + 1), [])
  useEffect(() => {
    if (code === null) {
      setState({ step: 'idle' })
      return undefined
    }
    const leaving = new AbortController()
    setState({ step: 'checking' })
    api.verify.check({ params: { code }, signal: leaving.signal }).then(
      (verdict) => {
        if (!leaving.signal.aborted) setState({ step: 'told', verdict })
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setState({ step: 'failed', problem: problemOf(error) })
      },
    )
    return () => leaving.abort()
  }, [api, code, turn])
  return { state, again }
}
