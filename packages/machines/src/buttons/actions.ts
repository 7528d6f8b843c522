import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import type { Row } from '@jiaowu/api/entity/values'
import { fillPlaceholders, fillSentence } from './placeholders.ts'
import type { ButtonRequest } from './ports.ts'

type RequestAction = Extract<ButtonAction, { readonly do: 'request' }>

/**
 * Effects that a pressed button asks of the surface; its requests are calls of the machine instead.
 */
export type ButtonEffect =
  | {
      readonly type: 'setField'
      readonly attrName: string
      readonly value: string | number | null
    }
  | {
      readonly type: 'open'
      readonly to: string
      readonly where: 'tab' | 'window' | 'drawer'
      readonly title: string
    }
  | {
      readonly type: 'message'
      readonly tone: 'info' | 'success' | 'warning' | 'danger'
      readonly text: string
    }
  | { readonly type: 'refresh' }

/**
 * A button and the record it was pressed on; `row` is null on a toolbar and in the form of a new
 * record.
 */
export interface Pressed {
  readonly button: Button
  readonly row: Row | null
}

/** The actions a definition declares. An SQL button declares none: the server answers for it. */
export function declaredActions({ eventType, eventContent }: Button): readonly ButtonAction[] {
  return eventType === 1 && Array.isArray(eventContent) ? eventContent : []
}

/**
 * The effect of an action that needs no call; null for a request. Its placeholders are filled from
 * the row.
 */
export function buildButtonEffect(
  action: ButtonAction,
  { button, row }: Pressed,
): ButtonEffect | null {
  switch (action.do) {
    case 'setField':
      return { type: 'setField', attrName: action.attrName, value: action.value }
    case 'open':
      return {
        type: 'open',
        to: fillPlaceholders(action.to, row, encodeURIComponent),
        where: action.where,
        title: button.name,
      }
    case 'message':
      return {
        type: 'message',
        tone: action.tone === 'error' ? 'danger' : action.tone,
        text: fillSentence(action.text, row),
      }
    case 'refresh':
      return { type: 'refresh' }
    case 'request':
      return null
    default:
      return action satisfies never
  }
}

/**
 * The call a request action makes. Its `version` becomes a number again where it is one: templates
 * are texts.
 */
export function buildButtonRequest(
  { tag, method, id = '', values = {} }: RequestAction,
  row: Row | null,
): ButtonRequest {
  const filled = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? fillPlaceholders(value, row) : value,
    ]),
  )
  const { version } = filled
  return {
    tag,
    method,
    id: fillPlaceholders(id, row),
    values:
      typeof version === 'string' && /^\d+$/.test(version)
        ? { ...filled, version: Number(version) }
        : filled,
  }
}
