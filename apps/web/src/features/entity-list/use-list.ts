import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { entityListActors } from '@jiaowu/machines/entity-list/ports'
import { entityListMachine } from '@jiaowu/machines/entity-list/machine'
import { type EntityListView, entityListView } from '@jiaowu/machines/entity-list/view'
import { type ListUser, rowActions } from '@jiaowu/machines/entity-list/rights'
import type { EntityListInput } from '@jiaowu/machines/entity-list/context'
import { isPresetAddress, viewOfAddress } from '@jiaowu/machines/entity-list/address'
import { listLeaves } from '@jiaowu/machines/entity-list/conditions/where'
import type { Query } from '@jiaowu/machines/entity-list/conditions/conditions'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'
import { listPorts } from '../../ports/list-ports.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { logHidden } from '../../app/log.ts'
import { useListSize, useSettings } from '../../app/settings.ts'
import { useBulkDrawer } from '../bulk/bulk-buttons.tsx'
import { useViewOnList, useViews, type Views } from '../views/use-views.ts'
import { useFreshDefinition } from './fresh-definition.tsx'
import type { RowAction } from '../../ui/table/row-actions.tsx'
import { onSavedElsewhere } from '../../app/saved-signal.ts'
import { useForms } from './use-forms.ts'
import { useListAddress } from './address/use-list-address.ts'
import { useWidths } from './table/widths/use-widths.ts'

/** Saving an entry of this entity changes the menu of the console. */
const menuTag = 'SYS_MENU'

/** A list with what can be opened over it. */
export type List = ReturnType<typeof useList>

/**
 * Everything the parts of a list page share: the machine, its view, the saved views and the open
 * overlays.
 */
export function useList(tag: string, search: string) {
  const fresh = useFreshDefinition()
  const [preset] = useState(() => fresh.previousQuery())
  const user = useListUser()
  const listSize = useListSize()
  const views = useViews(tag, {
    isPreset: preset === null ? isPresetAddress(search) : isFilled(preset),
    wanted: viewOfAddress(search),
    pageSize: listSize,
  })
  const actor = useListActor(
    {
      tag,
      address: search,
      pageSize: listSize,
      ...(preset === null ? {} : { preset }),
    },
    views.settled,
  )
  const view = useView(
    actor,
    useCallback(
      (snapshot: SnapshotFrom<typeof entityListMachine>) => entityListView(snapshot, user),
      [user],
    ),
  )
  const page = useSelector(actor, ({ context }) => context.page)
  useViewOnList(views, actor, view)
  useMenuRefresh(tag, page)
  useTermRefresh(actor, view.where)
  useListAddress(actor, view, views, search)
  const forms = useForms(tag, view)
  const [historyOf, setHistoryOf] = useState<string | null>(null)
  const [bulk, setBulk] = useBulkDrawer(tag)
  const isDeleting = view.step === 'confirmingDelete' || view.step === 'deleting'
  const isOpen = forms.form !== null || bulk !== null || historyOf !== null || isDeleting
  useEffect(
    () =>
      fresh.report(
        { queries: view.draft, sorts: view.sorts, where: view.where ?? undefined },
        isOpen,
      ),
    [fresh, view.draft, view.sorts, view.where, isOpen],
  )
  const widths = useWidths(tag, views.view.widths)
  const overlays = { forms, historyOf, setHistoryOf, bulk, setBulk }
  return { tag, actor, view, page, user, views, widths, ...overlays }
}

function isFilled({ queries, sorts, where }: Query): boolean {
  return Object.keys(queries).length + sorts.length > 0 || where !== undefined
}

function useListUser(): ListUser {
  const { permissions, user } = useApi()
  return useMemo(() => ({ permissions, user: { ...user } }), [permissions, user])
}

/**
 * @param settled ends when the view the list opens with is known: the first rows are loaded after
 * that, once
 */
function useListActor(input: EntityListInput, settled: Views['settled']) {
  const { api, saveFile } = useApi()
  const { messageText, t } = useText()
  const { toast } = useNotice()
  const { openTab, openDrawer } = useTabs()
  const { tag } = input
  const actor = useMachineActor((self) => {
    const ports = listPorts({ api, saveFile, toast, openTab, openDrawer }, (bytes) =>
      self().send({ type: 'export.progress', bytes }),
    )
    const loadConfig: typeof ports.loadConfig = async (input, signal) =>
      (await Promise.all([ports.loadConfig(input, signal), settled(signal)]))[0]
    return {
      machine: entityListMachine.provide({ actors: entityListActors({ ...ports, loadConfig }) }),
      input,
    }
  })
  useEffect(() => {
    const watching = actor.on('toast', ({ tone, message, lasting, undo }) =>
      toast(tone, messageText(message), {
        lasting,
        ...(undo === undefined
          ? {}
          : {
              action: {
                text: t('list.undo'),
                onClick: () => actor.send({ type: 'undo.press', no: undo }),
              },
            }),
      }),
    )
    return () => watching.unsubscribe()
  }, [actor, toast, messageText, t])
  useEffect(
    () =>
      onSavedElsewhere((saved) => {
        if (saved === tag) actor.send({ type: 'row.saved' })
      }),
    [actor, tag],
  )
  return actor
}

/** Reloads the menu after an edit to SYS_MENU. */
function useMenuRefresh(tag: string, page: unknown): void {
  const { reloadProfile } = useApi()
  const shown = useRef<unknown>(null)
  useEffect(() => {
    if (tag === menuTag && shown.current !== null && page !== shown.current) reloadProfile()
    shown.current = page
  }, [tag, page, reloadProfile])
}

/** Asks again when another term was chosen, where the list depends on it. */
function useTermRefresh(
  actor: { send(event: { readonly type: 'list.refresh' }): void },
  where: Where | null,
): void {
  const { term } = useSettings()
  const shown = useRef(term)
  const follows =
    where !== null && listLeaves(where).some(({ op, value }) => op === 'during' && value === 'term')
  useEffect(() => {
    if (shown.current !== term && follows) actor.send({ type: 'list.refresh' })
    shown.current = term
  }, [actor, follows, term])
}

/** Reloads the menu after a row of SYS_MENU was moved in its tree. */
export function useOnMoved(tag: string): () => void {
  const { reloadProfile } = useApi()
  return useCallback(() => {
    if (tag === menuTag) reloadProfile()
  }, [tag, reloadProfile])
}

/** The actions of a row, with what each does in the browser. */
export function useRowActions({ view, user, forms, setHistoryOf, actor }: List) {
  const { t } = useText()
  const { config, may, can } = view
  const { open, copy } = forms
  return useCallback(
    (row: Row): readonly RowAction[] => {
      const runs = {
        view: () => open({ id: row.id, viewOnly: true }),
        edit: () => open({ id: row.id, viewOnly: false }),
        copy: () => copy?.(row.id),
        history: () => setHistoryOf(row.id),
        delete: () => actor.send({ type: 'delete.ask', id: row.id }),
      }
      const names = {
        view: t('common.view'),
        edit: t('common.edit'),
        copy: t('form.makeCopy'),
        history: t('history.open'),
        delete: t('common.delete'),
      }
      return rowActions({ config, may, can }, row, user, (code, error) =>
        logHidden(code)(error),
      ).map(({ kind, code, name, enabled }) => ({
        code,
        disabled: !enabled,
        ...(kind === 'button'
          ? { name: name ?? code, run: () => actor.send({ type: 'button.press', code, row }) }
          : { name: names[kind], run: runs[kind], danger: kind === 'delete' }),
      }))
    },
    [config, may, can, user, open, copy, setHistoryOf, actor, t],
  )
}

/**
 * Handles a click on a value with an event link: the row's button of that code, where it is offered
 * and enabled.
 */
export function useRowEvents(
  { view: { config } }: { readonly view: Pick<EntityListView, 'config'> },
  actionsOf: (row: Row) => readonly RowAction[],
) {
  return useCallback(
    (code: string, row: Row) => {
      const isButton = config?.buttons.some((button) => button.code === code) === true
      const action = isButton ? actionsOf(row).find((each) => each.code === code) : undefined
      return action === undefined || action.disabled === true ? null : action.run
    },
    [actionsOf, config],
  )
}

/** The columns of an export: those of the list, when the user chose them. */
export function exportedColumns({ fields }: EntityConfig, columns: readonly string[] | null) {
  return columns === null
    ? {}
    : {
        columns: columns.filter((name) =>
          fields.some(({ attrName, isExport }) => attrName === name && isExport === 1),
        ),
      }
}
