import { pickViewContent, isSameContent } from '@jiaowu/api/entity/list/view'
import type { EntityListEvent } from '@jiaowu/machines/entity-list/context'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { isSameList, viewOfAddress, writeAddress } from '@jiaowu/machines/entity-list/address'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useTabs } from '../../../app/tab-context.ts'
import { useListSize } from '../../../app/settings.ts'
import type { Views } from '../../views/use-views.ts'
import { useAfterPaint } from './use-after-paint.ts'

/**
 * Keeps the address of the list's tab in step with what the list shows, so that a reload and a sent
 * link show the same, and Back in the browser returns to the list before a step. An address that
 * was opened stays until something changes. The list is painted first: a new entry of the history
 * renders the whole console.
 */
export function useListAddress(
  list: { send(event: EntityListEvent): void },
  view: EntityListView,
  { view: { current, columns, groups }, send: sendViews }: Views,
  search: string,
): void {
  const { moveTab } = useTabs()
  const { pathname } = useLocation()
  const listSize = useListSize()
  /** Null: what the opened address shows is not known yet. */
  const written = useRef<string | null>(null)
  const known = useRef(search)
  const { later, flush } = useAfterPaint()
  const next = buildListAddress(view, { current, columns }, search, listSize)
  const isSettled = view.step === 'shown' || view.step === 'failed'
  const isAsking = view.step === 'confirmingDelete' || view.step === 'deleting'
  useEffect(() => {
    if (next === null || isAsking) return
    if (written.current === null && !isSettled && !view.isStep) return
    const before = known.current
    known.current = search
    if (!isSameList(search, before) && !isSameList(search, written.current ?? before)) {
      flush()
      written.current = null
      const wanted = viewOfAddress(search)
      const saved = groups.flatMap(({ views }) => views).find(({ id }) => id === wanted)
      sendViews({ type: 'view.follow', id: saved?.id ?? null })
      list.send({
        type: 'address.show',
        address: search,
        view: saved === undefined ? null : pickViewContent(saved),
        usualSize: listSize,
      })
      return
    }
    const isOpened = written.current === null && !view.isStep
    if (written.current === next) return
    // The tab is where the step before has moved it, although this has not been rendered yet.
    const from = flush() && written.current !== null ? written.current : search
    written.current = next
    if (isOpened) return
    const [path, to] = [`${pathname}${from}`, `${pathname}${next}`]
    const keep = view.isStep
    later(() => moveTab(path, to, { keep }))
  }, [
    list,
    next,
    isSettled,
    isAsking,
    view.isStep,
    groups,
    sendViews,
    listSize,
    moveTab,
    later,
    flush,
    pathname,
    search,
  ])
}

/** The address of what the list shows; null while its definition is loading. */
function buildListAddress(
  { config, applied, where, sorts, pageNum, pageSize, group, footer, frozen }: EntityListView,
  { current, columns }: Pick<Views['view'], 'current' | 'columns'>,
  search: string,
  usualSize: number,
): string | null {
  if (config === null) return null
  const shown = { queries: applied, where, sorts, pageSize, group, footer, frozen }
  return writeAddress(search, config, {
    ...shown,
    pageNum,
    usualSize,
    view:
      current === null
        ? null
        : {
            id: current.id,
            isChanged: !isSameContent(pickViewContent(current), { ...shown, columns }),
          },
  })
}
