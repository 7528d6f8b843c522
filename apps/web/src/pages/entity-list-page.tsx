import { Button } from '@blueprintjs/core'
import { buttonPositions, type EntityConfig, entityPermission, problemText, type Row } from '@jiaowu/api'
import { entityListActors, entityListMachine, entityListView, presetOf } from '@jiaowu/machines'
import { visible } from '@jiaowu/validation'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useState } from 'react'
import { useApp } from '../app/app-context.tsx'
import { logHidden } from '../app/log.ts'
import { EntityTable } from '../entity/entity-table.tsx'
import { FormOverlay, type OpenForm } from '../entity/form-overlay.tsx'
import { listPorts } from '../entity/list-ports.ts'
import { ListToolbar } from '../entity/list-toolbar.tsx'
import { Pager } from '../entity/pager.tsx'
import { QueryForm } from '../entity/query-form.tsx'
import { type RowAction, RowActions } from '../entity/row-actions.tsx'
import { onSavedElsewhere } from '../entity/saved-signal.ts'
import { useMachineActor } from '../fields/use-machine-actor.ts'
import { paths } from '../paths.ts'
import { Empty, Failed, Loading } from '../ui/page-state.tsx'

const useListActor = (tag: string, search: string) => {
  const app = useApp()
  const actor = useMachineActor((self) => ({
    machine: entityListMachine.provide({ actors: entityListActors(listPorts(app, (bytes) => self().send({ type: 'export.progress', bytes }))) }), input: { tag, preset: presetOf(search) },
  }))
  const { toast, say, confirm, t } = app
  useEffect(() => { const watching = actor.on('toast', ({ tone, message, lasting }) => toast(tone, say(message), { lasting })); return () => watching.unsubscribe() }, [actor, toast, say])
  useEffect(() => onSavedElsewhere((saved) => { if (saved === tag) actor.send({ type: 'row.saved' }) }), [actor, tag])
  const view = useSelector(actor, entityListView, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  useEffect(() => { if (view.step === 'confirmingDelete') void confirm({ text: t('list.confirmDelete'), danger: true, confirmText: t('common.delete') }).then((yes) => actor.send({ type: yes ? 'delete.confirm' : 'delete.cancel' })) }, [actor, confirm, t, view.step])
  return { actor, view }
}

/** How add, edit and view open: over the list, or in a tab or window of their own (console spec §2). */
const useForms = (tag: string) => {
  const { openTab, t } = useApp()
  const [form, setForm] = useState<OpenForm | null>(null)
  const open = useCallback((config: EntityConfig, next: OpenForm) => {
    const { openType } = config.options
    const query = next.id === null ? {} : { id: next.id }
    if (openType === 'tab') {
      const title = t(next.viewOnly ? 'form.viewTitle' : next.id === null ? 'form.addTitle' : 'form.editTitle', { name: config.name })
      openTab(next.viewOnly && next.id !== null ? paths.details(tag, { id: next.id, title }) : paths.form(tag, { ...query, title }), title)
    } else if (openType === 'window') window.open(`#${next.viewOnly && next.id !== null ? paths.detailsWindow(tag, { id: next.id }) : paths.formWindow(tag, query)}`, '_blank')
    else setForm(next)
  }, [openTab, t, tag])
  return { form, open, close: useCallback(() => setForm(null), []) }
}

const useRowActions = (config: EntityConfig | null, open: (form: OpenForm) => void, send: ReturnType<typeof useListActor>['actor']['send']) => {
  const { can, t, user } = useApp()
  return useCallback((row: Row): readonly RowAction[] => {
    if (config === null) return []
    const may = (action: 'update' | 'delete') => can(entityPermission(config.tag, action))
    const scope = { row, user: { ...user }, mode: 'view' }
    const custom = config.buttons.filter((button) => button.position === buttonPositions.row && visible(button.positionExp, scope, logHidden(button.code)))
    return [
      ...(config.fields.some((field) => field.isDetail === 1) ? [{ code: 'view', name: t('common.view'), run: () => open({ id: row.id, viewOnly: true }) }] : []),
      ...(may('update') && config.fields.some((field) => field.isEdit > 0) ? [{ code: 'edit', name: t('common.edit'), run: () => open({ id: row.id, viewOnly: false }) }] : []),
      ...custom.map(({ code, name }) => ({ code, name, run: () => send({ type: 'button.press', code, row }) })),
      ...(may('delete') ? [{ code: 'delete', name: t('common.delete'), danger: true, run: () => send({ type: 'delete.ask', id: row.id }) }] : []),
    ]
  }, [config, can, t, user, open, send])
}

/** The list of any entity: search form, toolbar, table, pager (console spec §2). */
export const EntityListPage = ({ tag, search }: { readonly tag: string; readonly search: string }) => {
  const { t, can, locale } = useApp()
  const { actor, view } = useListActor(tag, search)
  const forms = useForms(tag)
  const { config } = view
  const { open: openForm } = forms
  const open = useCallback((form: OpenForm) => { if (config !== null) openForm(config, form) }, [config, openForm])
  const actionsOf = useRowActions(config, open, actor.send)
  const problem = view.problem === null ? '' : problemText(locale, view.problem)
  if (view.step === 'broken') return <Failed text={problem} onRetry={() => actor.send({ type: 'list.refresh' })} />
  if (config === null) return <Loading />
  const { options } = config
  const selection = !options.selection ? 'none' : options.singleSelect ? 'single' : options.multiSelect ? 'multi' : 'none'
  const mayAdd = can(entityPermission(tag, 'add')) && config.fields.some((field) => field.isAdd > 0)
  const add = () => open({ id: null, viewOnly: false })
  const empty = view.step === 'failed' ? <Failed text={problem} onRetry={() => actor.send({ type: 'list.refresh' })} /> : view.step === 'loading' ? null : <Empty {...(mayAdd ? { action: <Button intent="primary" variant="outlined" text={t('common.add')} onClick={add} /> } : {})} />
  return (
    <div className="jw-list">
      <section className="jw-panel"><QueryForm config={config} draft={view.draft} onChange={(attrName, value) => actor.send({ type: 'query.change', attrName, value })} onSearch={() => actor.send({ type: 'query.search' })} onReset={() => actor.send({ type: 'query.reset' })} /></section>
      <section className="jw-panel">
        <ListToolbar config={config} view={view} onAdd={add} onDelete={() => actor.send({ type: 'delete.ask' })} onRefresh={() => actor.send({ type: 'list.refresh' })} onExport={(format) => actor.send({ type: 'export.start', format })} onCancelExport={() => actor.send({ type: 'export.cancel' })} onPress={(code) => actor.send({ type: 'button.press', code, row: null })} />
        <EntityTable config={config} rows={view.step === 'failed' ? [] : view.rows} sorts={view.sorts} selected={view.selected} selection={selection} busy={view.step === 'loading' && view.loaded} skeletons={view.step === 'loading' && !view.loaded ? view.pageSize : 0} empty={empty}
          operation={options.operColumnShow ? (row) => <RowActions actions={actionsOf(row)} /> : null} onSort={(column, multi) => actor.send({ type: 'sort.cycle', column, multi })} onToggle={(id) => actor.send({ type: 'row.toggle', id })} onToggleAll={() => actor.send({ type: 'rows.toggle' })} />
        <Pager total={view.total} isEstimate={view.totalIsEstimate} pageNum={view.pageNum} pageSize={view.pageSize} onGo={(pageNum) => { actor.send({ type: 'page.go', pageNum }); document.querySelector('.jw-view:not([hidden]) .jw-table-wrap')?.scrollTo({ top: 0, behavior: 'smooth' }) }} onResize={(pageSize) => actor.send({ type: 'page.resize', pageSize })} />
      </section>
      <FormOverlay config={config} form={forms.form} onClose={forms.close} onSaved={() => { forms.close(); actor.send({ type: 'row.saved' }) }} />
    </div>
  )
}
