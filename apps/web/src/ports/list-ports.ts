import { type Button, buttonPositions, type EntityConfig, type Row } from '@jiaowu/api'
import {
  declaredActions,
  effectOf,
  type EntityListPorts,
  knownPart,
  requestOf,
} from '@jiaowu/machines'
import type { App } from '../shell/context/app-context.tsx'
import { buttonsPorts, showEffect } from './buttons-ports.ts'

type Dependencies = Pick<App, 'api' | 'saveFile' | 'toast' | 'openTab' | 'openDrawer'>

/** The calls of the list machine. @param onBytes bytes of the export received so far */
export function listPorts(app: Dependencies, onBytes: (bytes: number) => void): EntityListPorts {
  let config: EntityConfig | null = null
  return {
    loadConfig: async ({ tag }, signal) => {
      config = await app.api.entityData.config({ params: { tag }, signal })
      return config
    },
    loadPage: ({ tag, query }, signal) => {
      // A saved view or an address may name fields that the definition no longer has.
      const { queries, sorts } = config === null ? query : knownPart(config, query)
      return app.api.entityData.page({
        params: { tag },
        body: { ...query, sorts: [...sorts], queries: { ...queries } },
        signal,
      })
    },
    removeRows: ({ tag, ids }, signal) =>
      app.api.entityData.remove({ params: { tag, ids: ids.join(',') }, signal }),
    exportRows: async ({ tag, query, format, columns, only }, signal) => {
      const file = await app.api.entityData.export({
        params: { tag },
        body: {
          ...query,
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
  }
}

/**
 * Carries out a button's actions in order; the server checks each write
 * (docs/rules/contract.md#definitions).
 */
async function runActions(
  app: Dependencies,
  tag: string,
  pressed: { readonly button: Button; readonly row: Row | null },
  signal: AbortSignal,
): Promise<{ readonly refresh: boolean }> {
  const { button, row } = pressed
  const ports = buttonsPorts(app.api)
  const actions =
    button.eventType === 2
      ? await ports.loadActions({ tag, code: button.code }, signal)
      : declaredActions(button)
  let refresh = false
  for (const action of actions) {
    const effect = effectOf(action, pressed)
    if (action.do === 'request') await ports.sendRequest(requestOf(action, row), signal)
    else if (effect?.type === 'refresh') refresh = true
    else if (effect !== null) showEffect(app, effect)
  }
  return { refresh }
}
