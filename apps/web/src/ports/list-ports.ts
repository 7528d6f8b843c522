import {
  type Button,
  type ButtonAction,
  buttonPositions,
  type DictItem,
  type EntityConfig,
  type Row,
} from '@jiaowu/api'
import type { EntityListPorts } from '@jiaowu/machines'
import type { App } from '../shell/context/app-context.tsx'
import { askable } from '../features/entity-list/fresh-definition.tsx'

type Hands = Pick<App, 'api' | 'saveFile' | 'toast' | 'openTab' | 'openDrawer'>

/** Runs a button's declared actions in order; the server checks each again, and answers itself for a button it does not run (docs/rules/contract.md#definitions). */
export async function runActions(
  hands: Hands,
  tag: string,
  button: Button,
  row: Row | null,
  signal: AbortSignal,
): Promise<{ readonly refresh: boolean }> {
  if (button.eventType === 2)
    await hands.api.button.press({ params: { tag, code: button.code }, signal })
  let refresh = false
  for (const action of Array.isArray(button.eventContent) ? button.eventContent : []) {
    switch (action.do) {
      case 'request':
        await runRequest(hands, action, row, signal)
        break
      case 'open':
        if (action.where === 'window')
          window.open(`#${fill(action.to, row, encodeURIComponent)}`, '_blank', 'noreferrer')
        else if (action.where === 'drawer')
          hands.openDrawer(fill(action.to, row, encodeURIComponent), button.name)
        else hands.openTab(fill(action.to, row, encodeURIComponent), button.name)
        break
      case 'message':
        hands.toast(action.tone === 'error' ? 'danger' : action.tone, fillNames(action.text, row))
        break
      case 'refresh':
        refresh = true
        break
      case 'setField':
        break // of forms only
      default:
        action satisfies never
    }
  }
  return { refresh }
}

async function runRequest(
  { api }: Hands,
  action: ButtonAction & { readonly do: 'request' },
  row: Row | null,
  signal: AbortSignal,
): Promise<void> {
  const { tag } = action
  const id = fill(action.id ?? '', row)
  const values = Object.fromEntries(
    Object.entries(action.values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? fill(value, row) : value,
    ]),
  )
  const body = {
    ...values,
    ...('version' in values
      ? { version: /^\d+$/.test(String(values.version)) ? Number(values.version) : values.version }
      : {}),
  }
  if (action.method === 'create') await api.entityData.create({ params: { tag }, body, signal })
  else if (action.method === 'update')
    await api.entityData.update({ params: { tag, id }, body, signal })
  else await api.entityData.remove({ params: { tag, ids: id }, signal })
}

/** `{attrName}` filled with the row's values; a choice is its id, or with `{attrName.name}` its name. */
function fill(
  template: string,
  row: Row | null,
  encode: (text: string) => string = (text) => text,
): string {
  return template.replace(/\{(\w+)(\.name)?\}/g, (_hole, name: string, called?: string) =>
    encode((called === undefined ? textOf : nameOf)(row?.[name])),
  )
}

function textOf(value: unknown): string {
  return Array.isArray(value)
    ? (value as readonly DictItem[]).map((item) => item.id).join(',')
    : String(value ?? '')
}

/** What a choice is called. */
function nameOf(value: unknown): string {
  return Array.isArray(value)
    ? (value as readonly DictItem[]).map((item) => item.name).join(',')
    : String(value ?? '')
}

function fillNames(template: string, row: Row | null): string {
  return template.replace(/\{(\w+)\}/g, (_hole, name: string) => {
    const value = row?.[name]
    return Array.isArray(value)
      ? (value as readonly DictItem[]).map((item) => item.name).join('、')
      : String(value ?? '')
  })
}

/** The list's way out into the world. */
export function listPorts(hands: Hands, onBytes: (bytes: number) => void): EntityListPorts {
  let config: EntityConfig | null = null
  return {
    loadConfig: async ({ tag }, signal) => {
      config = await hands.api.entityData.config({ params: { tag }, signal })
      return config
    },
    loadPage: ({ tag, query }, signal) =>
      hands.api.entityData.page({
        params: { tag },
        body: {
          pageNum: query.pageNum,
          pageSize: query.pageSize,
          sorts: query.sorts.filter(
            ({ column }) => config === null || column in askable(config, { [column]: 1 }),
          ),
          queries: config === null ? { ...query.queries } : askable(config, query.queries),
        },
        signal,
      }),
    removeRows: ({ tag, ids }, signal) =>
      hands.api.entityData.remove({ params: { tag, ids: ids.join(',') }, signal }),
    exportRows: async ({ tag, query, format, columns, only }, signal) => {
      const file = await hands.api.entityData.export({
        params: { tag },
        body: {
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
      await hands.saveFile(file, onBytes, signal)
    },
    pressButton: async ({ tag, code, row }, signal) => {
      const button = config?.buttons.find(
        (each) => each.code === code && each.position <= buttonPositions.row,
      )
      return button === undefined ? { refresh: false } : runActions(hands, tag, button, row, signal)
    },
  }
}
