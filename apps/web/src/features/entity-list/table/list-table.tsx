import type { EntityConfig, Row } from '@jiaowu/api'
import type { RefObject } from 'react'
import { BulkButtons } from '../../bulk/bulk-buttons.tsx'
import { EntityTable } from './entity-table.tsx'
import { ListBlank } from '../list-blank.tsx'
import { Pager } from './pager.tsx'
import { type RowAction, RowActions } from './row-actions.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { exportedColumns, type List } from '../use-list.ts'

interface ListTableProps {
  readonly list: List
  readonly config: EntityConfig
  /** The panel that is scrolled into sight when the page turns. */
  readonly panel: RefObject<HTMLElement | null>
  readonly actionsOf: (row: Row) => readonly RowAction[]
}

/** The table with its selection bar and pager. */
export function ListTable({ list, config, panel, actionsOf }: ListTableProps) {
  const { view, actor, views, widths, setBulk } = list
  const columns = exportedColumns(config, views.view.columns)
  const goTo = (pageNum: number) => {
    actor.send({ type: 'page.go', pageNum })
    panel.current?.querySelector('.jw-table-wrap')?.scrollTo({ top: 0, behavior: 'smooth' })
    if ((panel.current?.getBoundingClientRect().top ?? 0) < 0)
      panel.current?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  }
  return (
    <>
      <EntityTable
        config={config}
        rows={view.step === 'failed' ? [] : view.rows}
        chosen={views.view.columns}
        {...widths}
        sorts={view.sorts}
        selected={view.selected}
        selection={view.may.selection}
        busy={(view.step === 'loading' && view.loaded) || view.step === 'deleting'}
        canSort={view.can.search}
        canToggle={view.can.toggleRow}
        skeletons={view.step === 'loading' && !view.loaded ? view.pageSize : 0}
        empty={<ListBlank list={list} />}
        operation={
          config.options.operColumnShow ? (row) => <RowActions actions={actionsOf(row)} /> : null
        }
        onSort={(column, multi) => actor.send({ type: 'sort.cycle', column, multi })}
        onToggle={(id) => actor.send({ type: 'row.toggle', id })}
        onToggleAll={() => actor.send({ type: 'rows.toggle' })}
      />
      <SelectionBar
        view={view}
        onAll={() => actor.send({ type: 'selection.all' })}
        onClear={() => actor.send({ type: 'selection.clear' })}
        onExport={(format) =>
          actor.send({ type: 'export.start', format, chosen: true, ...columns })
        }
      >
        <BulkButtons view={view} onOpen={setBulk} />
      </SelectionBar>
      <Pager
        total={view.total}
        isEstimate={view.totalIsEstimate}
        pageNum={view.pageNum}
        pageSize={view.pageSize}
        canAsk={view.can.search}
        onGo={goTo}
        onResize={(pageSize) => actor.send({ type: 'page.resize', pageSize })}
      />
    </>
  )
}
