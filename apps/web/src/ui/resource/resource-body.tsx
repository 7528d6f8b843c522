import { problemText } from '@jiaowu/api/problem'
import type { ReactNode } from 'react'
import { useText } from '../../app/text-context.ts'
import { Failed, Loading } from './page-state.tsx'
import type { Loaded } from './use-resource.ts'

/** The data of a page once it is there; until then that it is loading, or why it cannot be loaded, with a retry. */
export function ResourceBody<Data>({
  of: { data, problem, reload },
  children,
}: {
  readonly of: Loaded<Data>
  readonly children: (data: Data) => ReactNode
}) {
  const { locale } = useText()
  if (problem !== null) return <Failed text={problemText(locale, problem)} onRetry={reload} />
  return data === null ? <Loading /> : children(data)
}
