import type { contract } from '@jiaowu/api/contract/contract'
import type { Client, FileReply } from '@jiaowu/api/endpoint'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { Button } from '@jiaowu/api/entity/definition/button'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { isCarried, type Row } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { joinRowIds } from '@jiaowu/api/row-id'
import {
  type ButtonEffect,
  declaredActions,
  buildButtonEffect,
  buildButtonRequest,
} from '../buttons/actions.ts'
import type { ButtonRequest } from '../buttons/ports.ts'
import { sendButtonRequest } from '../buttons/send-request.ts'
import { knownPart } from './conditions/conditions.ts'
import type { EntityListPorts, Pressing, UndoChange } from './ports.ts'

type Api = Pick<Client<typeof contract>, 'entityData' | 'button' | 'history'>

/** A surface does these itself for the calls of a list. */
export interface ListSurface {
  /** Conditions as the server is asked. */
  readonly askWhere: (where: Where | null | undefined) => { where?: Where }
  /** Keeps an exported file. */
  readonly saveFile: (
    file: FileReply,
    named: { readonly tag: string; readonly format: ExportFormat },
    signal: AbortSignal,
  ) => Promise<void>
  /** Shows a message of a button, or opens a page. */
  readonly showEffect: (effect: ButtonEffect) => void
}

/** The ports of all surfaces. */
export function entityListApiPorts(api: Api, surface: ListSurface): EntityListPorts {
  let config: EntityConfig | null = null
  const buildBody = (query: PageQuery) => {
    // A saved view or an address may name fields that the definition no longer has.
    const { queries, sorts, where } = config === null ? query : knownPart(config, query)
    return { ...query, sorts: [...sorts], queries: { ...queries }, ...surface.askWhere(where) }
  }
  const loadPage: EntityListPorts['loadPage'] = ({ tag, query }, signal) =>
    api.entityData.page({ params: { tag }, body: buildBody(query), signal })
  return {
    loadConfig: async ({ tag }, signal) => {
      config = await api.entityData.config({ params: { tag }, signal })
      return config
    },
    loadPage,
    loadFigures: loadPage,
    countRows: ({ tag, query }, signal) =>
      api.entityData.count({ params: { tag }, body: buildBody(query), signal }),
    removeRows: ({ tag, ids }, signal) =>
      api.entityData.remove({ params: { tag, ids: joinRowIds(ids) }, signal }),
    exportRows: async ({ tag, query, format, columns, only }, signal) => {
      const file = await api.entityData.export({
        params: { tag },
        body: {
          ...query,
          ...surface.askWhere(query.where),
          pageNum: -1,
          pageSize: -1,
          sorts: [...query.sorts],
          queries: { ...query.queries },
          format,
          ...(columns === null ? {} : { columns: [...columns] }),
          ...(only === null
            ? {}
            : 'ids' in only
              ? { ids: [...only.ids] }
              : { except: [...only.except] }),
        },
        signal,
      })
      await surface.saveFile(file, { tag, format }, signal)
    },
    pressButton: async ({ tag, code, row }, signal) => {
      const button = config?.buttons.find(
        (each) => each.code === code && each.position <= buttonPositions.row,
      )
      return button === undefined
        ? { refresh: false }
        : runActions(api, surface, { tag, button, row }, signal)
    },
    undoLast: async ({ tag, undo }, signal) => {
      if (undo.do === 'restore')
        await api.history.restore({ params: { tag, ids: joinRowIds(undo.ids) }, signal })
      else
        for (const { tag: of, id, values } of undo.changes)
          await api.entityData.update({ params: { tag: of, id }, body: { ...values }, signal })
    },
  }
}

/**
 * Carries out a button's actions in order; the server checks each write
 * (docs/rules/contract.md#definitions). The message of a press that can be taken back is left to
 * the list, which offers that beside it.
 */
async function runActions(
  api: Api,
  { showEffect }: ListSurface,
  pressed: { readonly tag: string; readonly button: Button; readonly row: Row | null },
  signal: AbortSignal,
): Promise<Pressing> {
  const { tag, button, row } = pressed
  const actions =
    button.eventType === 2
      ? (await api.button.press({ params: { tag, code: button.code }, signal })).actions
      : declaredActions(button)
  let refresh = false
  let said: string | null = null
  const undo: UndoChange[] = []
  for (const action of actions) {
    const effect = buildButtonEffect(action, pressed)
    if (action.do === 'request') {
      const request = buildButtonRequest(action, row)
      const after = await sendButtonRequest(api, request, signal)
      const change = buildUndo(tag, request, row, after)
      if (change !== null) undo.push(change)
    } else if (effect?.type === 'refresh') refresh = true
    else if (effect?.type === 'message' && undo.length > 0) said = effect.text
    else if (effect !== null) showEffect(effect)
  }
  return { refresh, undo, said }
}

/** Builds the change that takes a change of the pressed row back; null for any other request. */
function buildUndo(
  tag: string,
  { tag: of, method, id, values }: ButtonRequest,
  row: Row | null,
  after: Row | null,
): UndoChange | null {
  if (method !== 'update' || of !== tag || row === null || row.id !== id || after === null)
    return null
  const before = Object.keys(values)
    .filter((name) => !isCarried(name))
    .map((name) => [name, row[name] ?? null] as const)
  return {
    tag,
    id,
    values: {
      ...Object.fromEntries(before),
      ...(after.version === undefined ? {} : { version: after.version }),
    },
  }
}
