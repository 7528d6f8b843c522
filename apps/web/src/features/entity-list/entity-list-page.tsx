import type { EntityConfig } from '@jiaowu/api/entity/config'
import { problemDetail } from '@jiaowu/api/problem'
import { useCallback, useDeferredValue, useMemo, useRef } from 'react'
import { RowEventsProvider } from '../../fields/row-event.ts'
import { useText } from '../../app/text-context.ts'
import { useNarrowLayout } from '../../app/use-narrow.ts'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import { GridButton, ListGrid, useGridMode } from './grid-button.tsx'
import { LayoutSwitch, useLayout } from '../tree/tree-layout.tsx'
import { ColumnsButton } from '../views/columns-button.tsx'
import { ViewTabs } from '../views/view-tabs.tsx'
import { ViewsButton } from '../views/views-button.tsx'
import { DensityButton } from './table/density-button.tsx'
import { FilterButton } from './filter/filter-button.tsx'
import { ListConditions } from './list-conditions.tsx'
import { ListOverlays } from './list-overlays.tsx'
import { ListTable } from './table/list-table.tsx'
import { ListToolbar } from './toolbar/list-toolbar.tsx'
import { ListTree } from './list-tree.tsx'
import { PrintButton } from './print/print-button.tsx'
import { QueryForm } from './query-form.tsx'
import { useTabTitle } from './use-tab-title.ts'
import { exportedColumns, type List, useList, useRowActions, useRowEvents } from './use-list.ts'

/**
 * The list of any entity: search form, toolbar, table, pager (docs/spec/1-entity-console.md §2).
 */
export function EntityListPage({ tag, search }: { readonly tag: string; readonly search: string }) {
  const { locale } = useText()
  const list = useList(tag, search)
  const { view, actor } = list
  if (view.step === 'broken')
    return (
      <Failed
        text={view.problem === null ? '' : problemDetail(locale, view.problem)}
        onRetry={() => actor.send({ type: 'list.refresh' })}
      />
    )
  return view.config === null ? (
    <Loading />
  ) : (
    <LoadedList list={list} config={view.config} search={search} />
  )
}

interface LoadedListProps {
  readonly list: List
  readonly config: EntityConfig
}

function LoadedList({ list, config, search }: LoadedListProps & { readonly search: string }) {
  const { tag, view, actor } = list
  const actionsOf = useRowActions(list)
  const eventOf = useRowEvents(list, actionsOf)
  const { layout, choose } = useLayout(tag)
  const { isGrid, setGrid } = useGridMode(search)
  const panel = useRef<HTMLElement>(null)
  useTabTitle(view, config, search)
  const onQuery = useCallback(
    (attrName: string, value: unknown) => actor.send({ type: 'query.change', attrName, value }),
    [actor],
  )
  // The pressed control is painted before the table, which takes longest.
  const shown = useDeferredValue(useMemo(() => ({ list, actionsOf }), [list, actionsOf]))
  const layouts = <LayoutSwitch layout={layout} onChoose={choose} />
  const isTree = config.tree !== undefined && layout === 'tree'
  return (
    <RowEventsProvider value={eventOf}>
      <div className={`jw-list${isTree ? '' : ' is-filling'}`}>
        <section className="jw-panel">
          <QueryForm
            config={config}
            draft={view.draft}
            rows={view.rows}
            faults={view.faults}
            canAsk={view.can.search}
            onChange={onQuery}
            onSearch={() => actor.send({ type: 'query.search' })}
            onReset={() => actor.send({ type: 'query.reset' })}
          />
        </section>
        <section
          className="jw-panel"
          ref={panel}
          aria-busy={(view.step === 'loading' && view.loaded) || shown.list !== list}
        >
          {isGrid ? null : (
            <ViewTabs views={list.views.view} canAsk={view.can.search} send={list.views.send} />
          )}
          <EntityListToolbar
            list={list}
            config={config}
            isTree={isTree}
            onGrid={isGrid ? null : () => setGrid(true)}
          />
          <ListConditions list={list} config={config} />
          {config.tree === undefined || isTree ? null : (
            <div className="jw-tree__bar">{layouts}</div>
          )}
          {isGrid ? (
            <ListGrid list={list} onClose={() => setGrid(false)} />
          ) : isTree ? (
            <ListTree list={list} config={config} lead={layouts} actionsOf={actionsOf} />
          ) : (
            <ListTable {...shown} config={config} panel={panel} />
          )}
        </section>
        <ListOverlays list={list} config={config} />
      </div>
    </RowEventsProvider>
  )
}

interface ToolbarProps extends LoadedListProps {
  readonly isTree: boolean
  /** Null: the grid is open. */
  readonly onGrid: (() => void) | null
}

/**
 * The toolbar's events go to the list machine. A tree has no selection: its rows are acted on one
 * by one.
 */
function EntityListToolbar({ list, config, isTree, onGrid }: ToolbarProps) {
  const { view, actor, views, forms, user, setBulk } = list
  const isNarrow = useNarrowLayout()
  const columns = exportedColumns(config, views.view.columns)
  return (
    <ListToolbar
      config={config}
      view={view}
      user={user}
      selects={!isTree && view.may.selection !== 'none'}
      onAdd={forms.add}
      onEdit={forms.edit}
      onDelete={() => actor.send({ type: 'delete.ask' })}
      onRefresh={() => actor.send({ type: 'list.refresh' })}
      onSort={(column) => actor.send({ type: 'sort.cycle', column })}
      onExport={(format) => actor.send({ type: 'export.start', format, ...columns })}
      onCancelExport={() => actor.send({ type: 'export.cancel' })}
      onPress={(code) => actor.send({ type: 'button.press', code, row: null })}
      onChooseAll={() => actor.send({ type: 'selection.all' })}
      onClear={() => actor.send({ type: 'selection.clear' })}
      onExportChosen={(format) =>
        actor.send({ type: 'export.start', format, chosen: true, ...columns })
      }
      onBulk={setBulk}
      columns={views.view.columns}
      tools={
        <>
          <FilterButton list={list} config={config} />
          {onGrid === null ? null : <GridButton list={list} onOpen={onGrid} />}
          <ViewsButton views={views.view} canAsk={view.can.search} send={views.send} />
          {isTree ? null : (
            <>
              <PrintButton list={list} config={config} />
              {isNarrow ? null : <DensityButton />}
              <ColumnsButton
                config={config}
                columns={views.view.columns}
                canArrange={views.view.can.arrange}
                onChange={(next) => views.send({ type: 'columns.change', columns: next })}
              />
            </>
          )}
        </>
      }
    />
  )
}
