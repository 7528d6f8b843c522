import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import { memo, type RefObject, Suspense, useCallback, useMemo } from 'react'
import { changeSettings } from '../../../app/settings.ts'
import { useText } from '../../../app/text-context.ts'
import { useNarrowLayout } from '../../../app/use-narrow.ts'
import { asTable } from '@jiaowu/machines/entity-list/table'
import { FigureLine } from '../figures/figure-line.tsx'
import { GroupBar, type Grouping } from '../figures/group-rows.tsx'
import { EntityCards } from './entity-cards.tsx'
import { EntityTable } from './entity-table.tsx'
import { ListBlank, StaleLine } from '../list-blank.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Loading } from '../../../ui/resource/page-state.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { type RowAction, RowActions } from '../../../ui/table/row-actions.tsx'
import type { List } from '../use-list.ts'
import { scrollUp } from './scroll-up.ts'
import { useColumnDeeds } from './use-column-deeds.ts'

const GroupTableView = lazyPart(() =>
  import('../groups/group-table.tsx').then((module) => module.GroupTableView),
)

interface ListTableProps {
  readonly list: List
  readonly config: EntityConfig
  /** The panel that is scrolled into sight when the page turns. */
  readonly panel: RefObject<HTMLElement | null>
  readonly actionsOf: (row: Row) => readonly RowAction[]
}

/** The table with its pager: of rows, or of groups. */
export const ListTable = memo(function ListTable(props: ListTableProps) {
  const { list, config, panel } = props
  const { group } = list.view
  return (
    <>
      {group?.table === undefined ? (
        <RowTable {...props} />
      ) : (
        <Suspense fallback={<Loading />}>
          <GroupTableView list={list} config={config} group={group} />
        </Suspense>
      )}
      <ListPager list={list} panel={panel} />
    </>
  )
})

function RowTable({ list, config, actionsOf }: ListTableProps) {
  const { view, actor, views, widths } = list
  const isNarrow = useNarrowLayout()
  const deeds = useColumnDeeds(list, config)
  const grouping = buildGrouping(list, config)
  const hasOperation = config.options.operColumnShow
  const operation = useMemo(
    () => (hasOperation ? (row: Row) => <RowActions actions={actionsOf(row)} /> : null),
    [hasOperation, actionsOf],
  )
  const onToggle = useCallback((id: string) => actor.send({ type: 'row.toggle', id }), [actor])
  const isStale = view.step === 'failed' && view.rows.length > 0
  const shared = {
    config,
    rows: view.rows,
    stale: isStale,
    chosen: views.view.columns,
    selected: view.selected,
    selection: view.may.selection,
    busy: (view.step === 'loading' && view.loaded) || view.step === 'deleting',
    canToggle: view.can.toggleRow,
    skeletons: view.step === 'loading' && !view.loaded ? view.pageSize : 0,
    empty: <ListBlank list={list} config={config} />,
    onToggle,
  }
  return (
    <>
      {isStale ? <StaleLine list={list} /> : null}
      {grouping === null ? null : (
        <GroupBar
          view={view}
          field={grouping.field}
          onToggleAll={() => actor.send({ type: 'groups.toggle' })}
          onTable={() => {
            if (view.group !== null)
              actor.send({ type: 'group.set', group: asTable(view.group, view.footer) })
          }}
          onLeave={() => actor.send({ type: 'group.set', group: null })}
        />
      )}
      {isNarrow && grouping === null ? (
        <>
          <p className="jw-cards__figures">
            <FigureLine list={list} />
          </p>
          <EntityCards
            {...shared}
            actionsOf={actionsOf}
            onOpen={(row) => runFirst(actionsOf(row), ['view', 'edit'])}
          />
        </>
      ) : (
        <EntityTable
          {...shared}
          {...widths}
          frozen={view.frozen}
          grouping={grouping}
          footer={view.footer}
          figures={view.figures}
          sorts={view.sorts}
          canSort={view.can.search}
          operation={operation}
          onSort={(column, multi) => actor.send({ type: 'sort.cycle', column, multi })}
          onToggleAll={() => actor.send({ type: 'rows.toggle' })}
          deeds={deeds}
          onOpen={(row) => runFirst(actionsOf(row), ['view', 'edit'])}
          onEdit={(row) => runFirst(actionsOf(row), ['edit'])}
        />
      )}
    </>
  )
}

function ListPager({ list: { view, actor }, panel }: Pick<ListTableProps, 'list' | 'panel'>) {
  const { t } = useText()
  const goTo = (pageNum: number) => {
    actor.send({ type: 'page.go', pageNum })
    scrollUp(panel.current)
  }
  return (
    <Pager
      total={view.total}
      pages={view.pages}
      isEstimate={view.totalIsEstimate}
      {...(view.group?.table === undefined
        ? {}
        : { totalText: (n: string) => t('table.groups', { n }) })}
      pageNum={view.pageNum}
      pageSize={view.pageSize}
      canAsk={view.can.search}
      onGo={goTo}
      onResize={(pageSize) => {
        rememberSize(pageSize)
        actor.send({ type: 'page.resize', pageSize })
      }}
    />
  )
}

function buildGrouping({ view, actor }: List, config: EntityConfig): Grouping | null {
  const { group, sections, can } = view
  const field = config.fields.find(({ attrName }) => attrName === group?.column)
  return sections === null || field === undefined
    ? null
    : {
        field,
        sections,
        canToggle: can.toggleGroup,
        onToggle: (key) => actor.send({ type: 'group.toggle', key }),
      }
}

/** Does what a key on a row stands for, where the row offers it. */
function runFirst(actions: readonly RowAction[], codes: readonly string[]): void {
  codes
    .flatMap((code) => actions.filter((each) => each.code === code && each.disabled !== true))
    .at(0)
    ?.run()
}

/** Lists open with this size from now on, where it is one of those offered. */
function rememberSize(size: number): void {
  const listSize = limits.pageSizes.find((each) => each === size)
  if (listSize !== undefined) changeSettings({ listSize })
}
