import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useApi } from '../app/api-context.ts'
import { onSavedElsewhere, todoSignal } from '../app/saved-signal.ts'
import { useResource } from '../ui/resource/use-resource.ts'

/** Milliseconds between two reads on the way through the pages. */
const minInterval = 30_000

/**
 * The number of cases that wait for the user; null until it is known. It is read again after each
 * decision and on the way to another page, not by a timer, which would keep an unused session alive.
 */
export function useTodoCount(): number | null {
  const { api } = useApi()
  const { pathname } = useLocation()
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  const { data, reload } = useResource({
    query: 'open',
    load: (_query, signal) => {
      readAt.current = Date.now()
      return api.flow.todo({ body: { mine: 'open', pageSize: 1 }, signal })
    },
  })
  useEffect(() => {
    if (Date.now() - readAt.current > minInterval) reload()
  }, [reload, pathname])
  useEffect(
    () =>
      onSavedElsewhere((tag) => {
        if (tag === todoSignal) reload()
      }),
    [reload],
  )
  return data?.total ?? null
}
