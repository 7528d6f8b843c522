import { Button } from '@blueprintjs/core'
import {
  buttonPositions,
  type EntityConfig,
  entityPermission,
  problemText,
  type Row,
} from '@jiaowu/api'
import {
  entityListActors,
  entityListMachine,
  type EntityListView,
  entityListView,
  type Preset,
  presetOf,
} from '@jiaowu/machines'
import { visible } from '@jiaowu/validation'
import { useSelector } from '@xstate/react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { hasHistory, RecordHistory } from '../administration/record-buttons.tsx'
import { useApp } from '../../shell/context/app-context.tsx'
import { logHidden } from '../../shell/context/log.ts'
import { BulkButtons, BulkEdit, useBulkDrawer } from '../bulk/bulk-buttons.tsx'
import { Ask } from './ask.tsx'
import { EntityTable } from './entity-table.tsx'
import { useFreshDefinition } from './fresh-definition.tsx'
import { FormOverlay, type OpenForm } from '../entity-form/form-overlay.tsx'
import { listPorts } from '../../ports/list-ports.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { Pager } from './pager.tsx'
import { QueryForm } from './query-form.tsx'
import { type RowAction, RowActions } from './row-actions.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { onSavedElsewhere } from './saved-signal.ts'
import { useWidths } from './use-widths.ts'
import { RowEventsProvider } from '../../fields/row-event.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { paths } from '../../paths.ts'
import { ColumnsButton } from '../views/columns-button.tsx'
import { useViewOnList, useViews, type Views } from '../views/use-views.ts'
import { ViewDialogs } from '../views/view-dialogs.tsx'
import { ViewsButton } from '../views/views-button.tsx'
import { LayoutSwitch, useLayout } from '../tree/tree-layout.tsx'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'
import { useView } from '../../fields/use-view.ts'

const TreeView = lazy(async () => ({ default: (await import('../tree/tree-view.tsx')).TreeView }))
/** Who changes the menu sees it change. */
const menuTag = 'SYS_MENU'

/** The list of any entity: search form, toolbar, table, pager (docs/spec/1-entity-console.md §2). */
export function EntityListPage({ tag, search }: { readonly tag: string; readonly search: string }) {
  const { t, can, locale, setTabDirty } = useApp()
  const { pathname } = useLocation()
  const fresh = useFreshDefinition()
  const [preset] = useState(() => fresh.question() ?? presetOf(search))
  const views = useViews(tag, preset)
  const { actor, view, page } = useListActor(tag, preset, views.settled)
  useViewOnList(views, actor, view)
  const columnWidths = useWidths(tag, views.view.widths)
  const { layout, choose } = useLayout(tag)
  const { reloadProfile } = useApp()
  useMenuRefresh(tag, page)
  const onMoved = useCallback(() => {
    if (tag === menuTag) reloadProfile()
  }, [tag, reloadProfile])
  const forms = useForms(tag)
  const { config } = view
  const { open: openForm } = forms
  const panel = useRef<HTMLElement>(null)
  const [historyOf, setHistoryOf] = useState<string | null>(null)
  const [bulk, setBulk] = useBulkDrawer(tag)
  const isOpen =
    forms.form !== null ||
    bulk !== null ||
    historyOf !== null ||
    view.step === 'confirmingDelete' ||
    view.step === 'deleting'
  useEffect(
    () => fresh.tell({ queries: view.draft, sorts: view.sorts }, isOpen),
    [fresh, view.draft, view.sorts, isOpen],
  )
  const onBulk = useCallback(() => {
    actor.send({ type: 'selection.clear' })
    actor.send({ type: 'row.saved' })
  }, [actor])
  const open = useCallback(
    (form: OpenForm) => {
      if (config !== null) openForm(config, form)
    },
    [config, openForm],
  )
  const onDirty = useCallback(
    (dirty: boolean) => setTabDirty(`${pathname}${search}`, dirty),
    [pathname, search, setTabDirty],
  )
  const actionsOf = useRowActions(view, open, setHistoryOf, actor.send)
  const eventOf = useCallback(
    (code: string, row: Row) => {
      const action = actionsOf(row).find((each) => each.code === code)
      return action === undefined ||
        action.disabled === true ||
        config?.buttons.every((button) => button.code !== code) !== false
        ? null
        : action.run
    },
    [actionsOf, config],
  )
  const retry = () => actor.send({ type: 'list.refresh' })
  if (view.step === 'broken')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={retry}
      />
    )
  if (config === null) return <Loading />
  const may = {
    add:
      can(entityPermission(tag, 'add')) &&
      config.refuses?.includes('add') !== true &&
      config.fields.some((field) => field.isAdd > 0),
    edit: can(entityPermission(tag, 'update')) && config.fields.some((field) => field.isEdit > 0),
  }
  const add = may.add ? () => open({ id: null, viewOnly: false }) : null
  const edit = may.edit ? (id: string) => open({ id, viewOnly: false }) : null
  const layouts = <LayoutSwitch layout={layout} onChoose={choose} />
  const isTree = config.tree !== undefined && layout === 'tree'
  const blank = (
    <Blank
      view={view}
      onRetry={retry}
      action={
        add === null ? null : (
          <Button intent="primary" variant="outlined" text={t('common.add')} onClick={add} />
        )
      }
    />
  )
  const columns = exportedColumns(config, views.view.columns)
  const goTo = (pageNum: number) => {
    actor.send({ type: 'page.go', pageNum })
    panel.current?.querySelector('.jw-table-wrap')?.scrollTo({ top: 0, behavior: 'smooth' })
    if ((panel.current?.getBoundingClientRect().top ?? 0) < 0)
      panel.current?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  }
  return (
    <RowEventsProvider value={eventOf}>
      <div className="jw-list">
        <section className="jw-panel">
          <QueryForm
            config={config}
            draft={view.draft}
            rows={view.rows}
            canAsk={view.can.search}
            onChange={(attrName, value) => actor.send({ type: 'query.change', attrName, value })}
            onSearch={() => actor.send({ type: 'query.search' })}
            onReset={() => actor.send({ type: 'query.reset' })}
          />
        </section>
        <section className="jw-panel" ref={panel}>
          <ListToolbar
            config={isTree ? withoutSelection(config) : config}
            view={view}
            onAdd={add}
            onEdit={edit}
            onDelete={() => actor.send({ type: 'delete.ask' })}
            onRefresh={retry}
            onSort={(column) => actor.send({ type: 'sort.cycle', column })}
            onExport={(format) => actor.send({ type: 'export.start', format, ...columns })}
            onCancelExport={() => actor.send({ type: 'export.cancel' })}
            onPress={(code) => actor.send({ type: 'button.press', code, row: null })}
            columns={views.view.columns}
            tools={
              <>
                <ViewsButton views={views.view} canAsk={view.can.search} send={views.send} />
                {isTree ? null : (
                  <ColumnsButton
                    config={config}
                    columns={views.view.columns}
                    canArrange={views.view.can.arrange}
                    onChange={(next) => views.send({ type: 'columns.change', columns: next })}
                  />
                )}
              </>
            }
          />
          {config.tree === undefined || isTree ? null : (
            <div className="jw-tree__bar">{layouts}</div>
          )}
          {isTree ? (
            <Suspense fallback={<Loading />}>
              <TreeView
                config={config}
                lead={layouts}
                queries={view.applied}
                stamp={page}
                canMove={
                  config.fields.some(
                    ({ attrName, isEdit }) => attrName === config.tree?.parentField && isEdit === 1,
                  ) && may.edit
                }
                onMoved={onMoved}
                actionsOf={actionsOf}
                onAddBelow={addBelow(config, add, open)}
                empty={blank}
              />
            </Suspense>
          ) : (
            <>
              <EntityTable
                config={config}
                rows={view.step === 'failed' ? [] : view.rows}
                chosen={views.view.columns}
                {...columnWidths}
                sorts={view.sorts}
                selected={view.selected}
                selection={selectionOf(config)}
                busy={(view.step === 'loading' && view.loaded) || view.step === 'deleting'}
                canSort={view.can.search}
                canToggle={view.can.toggleRow}
                skeletons={view.step === 'loading' && !view.loaded ? view.pageSize : 0}
                empty={blank}
                operation={
                  config.options.operColumnShow
                    ? (row) => <RowActions actions={actionsOf(row)} />
                    : null
                }
                onSort={(column, multi) => actor.send({ type: 'sort.cycle', column, multi })}
                onToggle={(id) => actor.send({ type: 'row.toggle', id })}
                onToggleAll={() => actor.send({ type: 'rows.toggle' })}
              />
              <SelectionBar
                config={config}
                view={view}
                onAll={() => actor.send({ type: 'selection.all' })}
                onClear={() => actor.send({ type: 'selection.clear' })}
                onExport={(format) =>
                  actor.send({ type: 'export.start', format, chosen: true, ...columns })
                }
              >
                <BulkButtons config={config} view={view} onOpen={setBulk} />
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
          )}
        </section>
        <FormOverlay
          config={config}
          form={forms.form}
          onClose={forms.close}
          onSaved={() => {
            forms.close()
            actor.send({ type: 'row.saved' })
          }}
          onDirty={onDirty}
          onEdit={edit}
        />
        <BulkEdit config={config} open={bulk} onClose={() => setBulk(null)} onChanged={onBulk} />
        <ViewDialogs views={views.view} send={views.send} />
        <RecordHistory config={config} id={historyOf} onClose={() => setHistoryOf(null)} />
        <Ask
          isOpen={view.step === 'confirmingDelete'}
          text={t('list.confirmDelete')}
          confirmText={t('common.delete')}
          onAnswer={(yes) => actor.send({ type: yes ? 'delete.confirm' : 'delete.cancel' })}
        />
      </div>
    </RowEventsProvider>
  )
}

function useListActor(tag: string, preset: Preset, settled: Views['settled']) {
  const app = useApp()
  const actor = useMachineActor((self) => {
    const ports = listPorts(app, (bytes) => self().send({ type: 'export.progress', bytes }))
    const loadConfig: typeof ports.loadConfig = async (input, signal) =>
      (await Promise.all([ports.loadConfig(input, signal), settled(signal)]))[0]
    return {
      machine: entityListMachine.provide({ actors: entityListActors({ ...ports, loadConfig }) }),
      input: { tag, preset },
    }
  })
  const { toast, say } = app
  useEffect(() => {
    const watching = actor.on('toast', ({ tone, message, lasting }) =>
      toast(tone, say(message), { lasting }),
    )
    return () => watching.unsubscribe()
  }, [actor, toast, say])
  useEffect(
    () =>
      onSavedElsewhere((saved) => {
        if (saved === tag) actor.send({ type: 'row.saved' })
      }),
    [actor, tag],
  )
  const view = useView(actor, entityListView)
  return { actor, view, page: useSelector(actor, ({ context }) => context.page) }
}

function useMenuRefresh(tag: string, page: unknown) {
  const { reloadProfile } = useApp()
  const shown = useRef<unknown>(null)
  useEffect(() => {
    if (tag === menuTag && shown.current !== null && page !== shown.current) reloadProfile()
    shown.current = page
  }, [tag, page, reloadProfile])
}

/** How add, edit and view open: over the list, or in a tab or window of their own (docs/spec/1-entity-console.md §2). */
function useForms(tag: string) {
  const { openTab, t } = useApp()
  const [form, setForm] = useState<OpenForm | null>(null)
  const open = useCallback(
    (config: EntityConfig, next: OpenForm) => {
      const { openType } = config.options
      const query = next.id === null ? {} : { id: next.id }
      if (openType === 'tab') {
        const title = t(
          next.viewOnly ? 'form.viewTitle' : next.id === null ? 'form.addTitle' : 'form.editTitle',
          { name: config.name },
        )
        openTab(
          next.viewOnly && next.id !== null
            ? paths.details(tag, { id: next.id, title })
            : paths.form(tag, { ...query, title }),
          title,
        )
      } else if (openType === 'window')
        window.open(
          `#${next.viewOnly && next.id !== null ? paths.detailsWindow(tag, { id: next.id }) : paths.formWindow(tag, query)}`,
          '_blank',
        )
      else setForm(next)
    },
    [openTab, t, tag],
  )
  return { form, open, close: useCallback(() => setForm(null), []) }
}

function useRowActions(
  { config, can: { askDeleteRow, press } }: EntityListView,
  open: (form: OpenForm) => void,
  onHistory: (id: string) => void,
  send: ReturnType<typeof useListActor>['actor']['send'],
) {
  const { can, t, user } = useApp()
  return useCallback(
    (row: Row): readonly RowAction[] => {
      if (config === null) return []
      const may = (action: 'update' | 'delete') =>
        can(entityPermission(config.tag, action)) && config.refuses?.includes(action) !== true
      const scope = { row, user: { ...user }, mode: 'view' }
      const custom = config.buttons.filter(
        (button) =>
          button.position === buttonPositions.row &&
          visible(button.positionExp, scope, logHidden(button.code)),
      )
      const isLong = custom.length > 0 && hasHistory(config) // there is a menu anyway; else the details have it
      return [
        ...(config.fields.some((field) => field.isDetail === 1)
          ? [
              {
                code: 'view',
                name: t('common.view'),
                run: () => open({ id: row.id, viewOnly: true }),
              },
            ]
          : []),
        ...(may('update') && config.fields.some((field) => field.isEdit > 0)
          ? [
              {
                code: 'edit',
                name: t('common.edit'),
                run: () => open({ id: row.id, viewOnly: false }),
              },
            ]
          : []),
        ...custom.map(({ code, name }) => ({
          code,
          name,
          disabled: !press,
          run: () => send({ type: 'button.press', code, row }),
        })),
        ...(isLong
          ? [{ code: 'history', name: t('history.open'), run: () => onHistory(row.id) }]
          : []),
        ...(may('delete')
          ? [
              {
                code: 'delete',
                name: t('common.delete'),
                danger: true,
                disabled: !askDeleteRow,
                run: () => send({ type: 'delete.ask', id: row.id }),
              },
            ]
          : []),
      ]
    },
    [config, askDeleteRow, press, can, t, user, open, onHistory, send],
  )
}

/** What stands where rows would: nothing yet, a fault, or nothing at all. */
function Blank({
  view,
  action,
  onRetry,
}: {
  readonly view: EntityListView
  readonly action: ReactNode
  readonly onRetry: () => void
}) {
  const { locale } = useApp()
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={onRetry}
      />
    )
  return view.step === 'loading' ? null : <Empty action={action} />
}

/** An export has the columns of the list, when a person chose them. */
function exportedColumns({ fields }: EntityConfig, columns: readonly string[] | null) {
  return columns === null
    ? {}
    : {
        columns: columns.filter((name) =>
          fields.some(({ attrName, isExport }) => attrName === name && isExport === 1),
        ),
      }
}

/** In a tree things are done row by row. */
function withoutSelection(config: EntityConfig): EntityConfig {
  return {
    ...config,
    options: { ...config.options, selection: false },
  }
}

/** Opens the form of a new row below another; null where a form does not ask for the row above. */
function addBelow(
  { fields, tree }: EntityConfig,
  add: unknown,
  open: (form: OpenForm) => void,
): ((row: Row, name: string) => void) | null {
  const parent = fields.find(({ attrName }) => attrName === tree?.parentField)
  return add === null || parent === undefined || parent.isAdd !== 1
    ? null
    : (row, name) =>
        open({ id: null, viewOnly: false, defaults: { [parent.attrName]: [{ id: row.id, name }] } })
}

function selectionOf({ options }: EntityConfig): 'none' | 'single' | 'multi' {
  return !options.selection
    ? 'none'
    : options.singleSelect
      ? 'single'
      : options.multiSelect
        ? 'multi'
        : 'none'
}
