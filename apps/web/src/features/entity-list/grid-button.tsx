import { Button } from '@blueprintjs/core'
import { Th } from '@blueprintjs/icons'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { askedWhere } from '../../ports/asked-where.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { useNarrow } from '../../app/use-narrow.ts'
import { Loading } from '../../ui/resource/page-state.tsx'
import { FigureLine } from './figures/figure-line.tsx'
import type { List } from './use-list.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const EntityGrid = lazyPart(() =>
  import('../grid/entity-grid.tsx').then((module) => module.EntityGrid),
)

/** Whether a list is open as a grid: `?mode=grid` of its address. */
export function useGridMode(search: string) {
  const { moveTab } = useTabs()
  const { pathname } = useLocation()
  const setGrid = (isOn: boolean) => {
    const others = search.replace(/^\?/, '').replace(/(?:^|&)mode=grid(?=&|$)/, '')
    const next = [others, ...(isOn ? ['mode=grid'] : [])].filter((part) => part !== '').join('&')
    moveTab(`${pathname}${search}`, `${pathname}${next === '' ? '' : `?${next}`}`, { keep: true })
  }
  return { isGrid: /[?&]mode=grid(?:&|$)/.test(search), setGrid }
}

/** Opens the grid. Nothing for those who may neither change nor add rows. */
export function GridButton({ list, onOpen }: { readonly list: List; readonly onOpen: () => void }) {
  const { t } = useText()
  const narrow = useNarrow()
  const { edit, add } = list.view.may
  return edit || add ? (
    <Button
      variant="minimal"
      icon={<Th />}
      {...(narrow
        ? { 'aria-label': t('grid.open'), title: t('grid.open') }
        : { text: t('grid.open') })}
      onClick={onOpen}
    />
  ) : null
}

/** The rows of a list as a grid, with its filters, sorts and columns. Loaded on first use. */
export function ListGrid({ list, onClose }: { readonly list: List; readonly onClose: () => void }) {
  const { tag, view, actor, views, widths } = list
  const { applied, where, sorts, may } = view
  const query = useMemo(
    () => ({ queries: applied, where: askedWhere(where).where ?? null, sorts }),
    [applied, where, sorts],
  )
  const key = useKeyInTurn(JSON.stringify(views.view.columns))
  if (key === null) return <Loading />
  return (
    <Suspense fallback={<Loading />}>
      <EntityGrid
        key={key}
        tag={tag}
        query={query}
        columns={views.view.columns}
        mayEdit={may.edit}
        mayAdd={may.add}
        sorts={sorts}
        widths={widths.widths}
        figures={<FigureLine list={list} />}
        onWidth={widths.onWidth}
        onSort={(column) => actor.send({ type: 'sort.cycle', column })}
        onClose={() => {
          actor.send({ type: 'list.refresh' })
          onClose()
        }}
      />
    </Suspense>
  )
}

/** Null once between two keys: a grid has kept what it has not stored before the next one takes it up. */
function useKeyInTurn(key: string): string | null {
  const [shown, setShown] = useState(key)
  useEffect(() => setShown(key), [key])
  return shown === key ? key : null
}
