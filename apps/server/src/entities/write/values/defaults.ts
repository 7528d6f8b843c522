import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { defaultTypes } from '@jiaowu/api/entity/enums'
import * as v from 'valibot'
import type { Context } from '../../../model/context.ts'
import { sqlValue } from '../../custom-sql/run.ts'
import { readParam } from '../../../model/definition/params.ts'
import { nowFor } from '../../../model/fields/local-time.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'

/** The value of a field in a new row when the form sends none. */
export async function loadDefault(field: LoadedField, context: Context): Promise<WireValue> {
  const { uiDefaultType, defaultValue } = field.definition
  if (defaultValue === null || defaultValue === '') return null
  switch (uiDefaultType) {
    case defaultTypes.text:
      return fromText(field, defaultValue)
    case defaultTypes.context:
      return contextValue(field, defaultValue, context)
    case defaultTypes.constant: {
      const param = await readParam(context, defaultValue)
      return param === null ? null : fromText(field, param)
    }
    case defaultTypes.sql: {
      const value = await sqlValue(context, defaultValue)
      return value === null ? null : fromText(field, value)
    }
    default:
      return null
  }
}

/**
 * Parses a default, stored as text: `1,2` chooses two items. Text the kind cannot read gives no
 * default.
 */
function fromText(field: LoadedField, text: string): WireValue {
  const raw = field.kind.multiple ? text.split(',').map((part) => part.trim()) : text
  const parsed = v.safeParse(field.kind.value, raw)
  return parsed.success ? (parsed.output as WireValue) : null
}

function contextValue(field: LoadedField, constant: string, { subject, now }: Context): WireValue {
  switch (constant) {
    case 'currentUser':
      return idOrName(field, { id: subject.userId, name: subject.name })
    case 'currentOrg':
      return idOrName(field, subject.org)
    case 'currentTime':
      return nowFor(field.kind, now())
    default:
      return null
  }
}

function idOrName(field: LoadedField, item: DictItem | null): WireValue {
  if (item === null) return null
  return field.kind.family === 'choice'
    ? [item]
    : field.kind.family === 'number'
      ? item.id
      : item.name
}
