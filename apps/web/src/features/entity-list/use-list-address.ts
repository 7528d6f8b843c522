import { type EntityListView, type ViewsView, writeAddress } from '@jiaowu/machines'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useApp } from '../../shell/context/app-context.tsx'
import { useSettings } from '../../shell/context/settings.ts'

/**
 * Keeps the address of the list's tab in step with what the list shows, so that a reload and a sent
 * link show the same. An address that was opened stays until something changes.
 */
export function useListAddress(
  { step, config, applied, where, sorts, pageNum, pageSize, group, footer, frozen }: EntityListView,
  { current, changed }: Pick<ViewsView, 'current' | 'changed'>,
  search: string,
): void {
  const { moveTab } = useApp()
  const { pathname } = useLocation()
  const { listSize } = useSettings()
  const written = useRef<string | null>(null)
  const isSettled = step === 'shown' || step === 'failed'
  const next =
    config === null
      ? null
      : writeAddress(search, config, {
          queries: applied,
          where,
          sorts,
          pageNum,
          pageSize,
          group,
          footer,
          frozen,
          usualSize: listSize,
          view: current === null ? null : { id: current.id, isChanged: changed },
        })
  useEffect(() => {
    if (next === null || (written.current === null && !isSettled) || written.current === next)
      return
    const isFirst = written.current === null
    written.current = next
    if (!isFirst) moveTab(`${pathname}${search}`, `${pathname}${next}`)
  }, [next, isSettled, moveTab, pathname, search])
}
