import type { DocumentVerdict } from '@jiaowu/api/contract/student/verify'
import type { Problem } from '@jiaowu/api/problem'
import { useApi } from '../../app/api-context.ts'
import { useResource } from '../../ui/resource/use-resource.ts'

export type Verdict =
  | { readonly step: 'idle' }
  | { readonly step: 'checking' }
  | { readonly step: 'checked'; readonly verdict: DocumentVerdict }
  | { readonly step: 'failed'; readonly problem: Problem }

/**
 * The server's verdict on a document code; null: no code yet. `reload` checks the same code again.
 */
export function useVerdict(code: string | null): {
  readonly state: Verdict
  readonly reload: () => void
} {
  const { api } = useApi()
  const check = useResource({
    query: code,
    load: (asked: string, signal) => api.verify.check({ params: { code: asked }, signal }),
  })
  return { state: resolveVerdict(check), reload: check.reload }
}

function resolveVerdict({
  isLoading,
  problem,
  data,
}: {
  readonly isLoading: boolean
  readonly problem: Problem | null
  readonly data: DocumentVerdict | null
}): Verdict {
  if (isLoading) return { step: 'checking' }
  if (problem !== null) return { step: 'failed', problem }
  return data === null ? { step: 'idle' } : { step: 'checked', verdict: data }
}
