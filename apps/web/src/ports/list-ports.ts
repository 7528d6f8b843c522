import type { Button } from '@jiaowu/api/entity/definition/button'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { isCarried, type Row } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { joinRowIds } from '@jiaowu/api/row-id'
import type { ButtonRequest } from '@jiaowu/machines/buttons/ports'
import {
  declaredActions,
  buildButtonEffect,
  buildButtonRequest,
} from '@jiaowu/machines/buttons/actions'
import type { EntityListPorts, Pressing, UndoChange } from '@jiaowu/machines/entity-list/ports'
import { knownPart } from '@jiaowu/machines/entity-list/conditions/conditions'
import type { Services } from '../app/api-context.ts'
import type { Notices } from '../app/notice-context.ts'
import type { Tabs } from '../app/tab-context.ts'
import { askedWhere } from './asked-where.ts'
import { buttonsPorts, sendButtonRequest, showEffect } from './buttons-ports.ts'

type Dependencies = Pick<Services, 'api' | 'saveFile'> &
  Pick<Notices, 'toast'> &
  Pick<Tabs, 'openTab' | 'openDrawer'>

/** The calls of the list machine. @param onBytes bytes of the export received so far */
export function listPorts(app: Dependencies, onBytes: (bytes: number) => void): EntityListPorts {
  let config: EntityConfig | null = null
  const bodyOf = (query: PageQuery) => {
    // A saved view or an address may name fields that the definition no longer has.
    const { queries, sorts, where } = config === null ? query : knownPart(config, query)
    return { ...query, sorts: [...sorts], queries: { ...queries }, ...askedWhere(where) }
  }
  const loadPage: EntityListPorts['loadPage'] = ({ tag, query }, signal) =>
    app.api.entityData.page({ params: { tag }, body: bodyOf(query), signal })
  return {
    loadConfig: async ({ tag }, signal) => {
      config = await app.api.entityData.config({ params: { tag }, signal })
      return config
    },
    loadPage,
    loadFigures: loadPage,
    countRows: ({ tag, query }, signal) =>
      app.api.entityData.count({ params: { tag }, body: bodyOf(query), signal }),
    removeRows: ({ tag, ids }, signal) =>
      app.api.entityData.remove({ params: { tag, ids: joinRowIds(ids) }, signal }),
    exportRows: async ({ tag, query, format, columns, only }, signal) => {
      const file = await app.api.entityData.export({
        params: { tag },
        body: {
          ...query,
          ...askedWhere(query.where),
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
      await app.saveFile(file, onBytes, signal)
    },
    pressButton: async ({ tag, code, row }, signal) => {
      const button = config?.buttons.find(
        (each) => each.code === code && each.position <= buttonPositions.row,
      )
      return button === undefined
        ? { refresh: false }
        : runActions(app, tag, { button, row }, signal)
    },
    undoLast: async ({ tag, undo }, signal) => {
      if (undo.do === 'restore')
        await app.api.history.restore({ params: { tag, ids: joinRowIds(undo.ids) }, signal })
      else
        for (const { tag: of, id, values } of undo.changes)
          await app.api.entityData.update({
            params: { tag: of, id },
            body: { ...values },
            signal,
          })
    },
  }
}

/**
 * Carries out a button's actions in order; the server checks each write
 * (docs/rules/contract.md#definitions). The message of a press that can be taken back is left to
 * the list, which offers that beside it.
 */
async function runActions(
  app: Dependencies,
  tag: string,
  pressed: { readonly button: Button; readonly row: Row | null },
  signal: AbortSignal,
): Promise<Pressing> {
  const { button, row } = pressed
  const ports = buttonsPorts(app.api)
  const actions =
    button.eventType === 2
      ? await ports.loadActions({ tag, code: button.code }, signal)
      : declaredActions(button)
  let refresh = false
  let said: string | null = null
  const undo: UndoChange[] = []
  for (const action of actions) {
    const effect = buildButtonEffect(action, pressed)
    if (action.do === 'request') {
      const request = buildButtonRequest(action, row)
      const after = await sendButtonRequest(app.api, request, signal)
      const change = buildUndo(tag, request, row, after)
      if (change !== null) undo.push(change)
    } else if (effect?.type === 'refresh') refresh = true
    else if (effect?.type === 'message' && undo.length > 0) said = effect.text
    else if (effect !== null) showEffect(app, effect)
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
