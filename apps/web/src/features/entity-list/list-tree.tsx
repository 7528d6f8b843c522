import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { type ReactNode, Suspense } from 'react'
import { Loading } from '../../ui/resource/page-state.tsx'
import { ListBlank } from './list-blank.tsx'
import type { RowAction } from '../../ui/table/row-actions.tsx'
import { type List, useOnMoved } from './use-list.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const TreeView = lazyPart(() => import('../tree/tree-view.tsx').then((module) => module.TreeView))

interface ListTreeProps {
  readonly list: List
  readonly config: EntityConfig
  readonly lead: ReactNode
  readonly actionsOf: (row: Row) => readonly RowAction[]
}

/** The rows as a tree, reloaded with the list. */
export function ListTree({ list, config, lead, actionsOf }: ListTreeProps) {
  const { tag, view, page, forms } = list
  const onMoved = useOnMoved(tag)
  return (
    <Suspense fallback={<Loading />}>
      <TreeView
        config={config}
        lead={lead}
        queries={view.applied}
        stamp={page}
        canMove={view.may.move}
        onMoved={onMoved}
        actionsOf={actionsOf}
        onAddBelow={forms.addBelow}
        empty={<ListBlank list={list} config={config} />}
      />
    </Suspense>
  )
}
