// A definition as a file: the values that differ from the defaults, in a fixed order, without ids
// and other data of one installation (docs/rules/contract.md#definitions, definitions as code).
import * as v from 'valibot'
import { buttonSchema } from './button.ts'
import {
  type EntityDefinition,
  entityDefinitionSchema,
  type EntityDraft,
  entityOptionsSchema,
  fieldDefinitionSchema,
} from './definition.ts'

type Plain = Readonly<Record<string, unknown>>
const isSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const fieldDefaults = v.parse(fieldDefinitionSchema, { id: '', attrName: 'x', uiLabel: '' })
const buttonDefaults = v.parse(buttonSchema, { code: 'x', name: '', position: 1 })
const optionDefaults = v.parse(entityOptionsSchema, {})
const entityDefaults = v.parse(entityDefinitionSchema, {
  tag: 'XX',
  name: '',
  tableName: 'x',
  fields: [],
})

/**
 * Ids differ between installations, and the position of a field follows from the order of the list.
 */
const { id: _id, uiSort: _uiSort, ...fieldEntries } = fieldDefinitionSchema.entries

/** The file of a definition. Equivalent definitions give the same text on every installation. */
export function portableEntity(definition: EntityDefinition): Plain {
  const { fields, buttons, options, ...own } = definition
  const tableOf = definition.tableName
  const { tag, name, tableName, ...rest } = withoutDefaults(
    entityDefinitionSchema.entries,
    { ...own, fields: [], buttons: [], options: optionDefaults },
    { ...entityDefaults, tag: null, name: null, tableName: null },
  )
  const changedOptions = withoutDefaults(entityOptionsSchema.entries, options, optionDefaults)
  return {
    tag,
    name,
    tableName,
    ...rest,
    ...(Object.keys(changedOptions).length === 0 ? {} : { options: changedOptions }),
    fields: fields
      .toSorted((a, b) => a.uiSort - b.uiSort)
      .map((field) =>
        withoutDefaults(
          fieldEntries,
          {
            ...field,
            tableName:
              field.tableName === tableOf && field.columnName !== null
                ? undefined
                : field.tableName,
          },
          { ...fieldDefaults, attrName: null, uiLabel: null },
        ),
      ),
    ...(buttons.length === 0
      ? {}
      : {
          buttons: buttons.map((button) =>
            withoutDefaults(buttonSchema.entries, button, {
              ...buttonDefaults,
              code: null,
              name: null,
              position: null,
            }),
          ),
        }),
  }
}

/** The values that differ from the defaults, in the order of the schema's keys. */
function withoutDefaults(
  entries: Readonly<Record<string, unknown>>,
  value: Plain,
  defaults: Plain,
): Plain {
  return Object.fromEntries(
    Object.keys(entries)
      .filter((key) => value[key] !== undefined && !isSameJson(value[key], defaults[key]))
      .map((key) => [key, value[key]]),
  )
}

/**
 * Completes the content of a file so that the schema can parse it: temporary ids, positions, table
 * names. Values of the wrong shape are passed on for the checks to report.
 */
export function entityOfPortable(file: unknown): unknown {
  if (!isPlain(file) || !Array.isArray(file['fields'])) return file
  return {
    ...file,
    fields: file['fields'].map((field: unknown, index) =>
      isPlain(field)
        ? {
            id: String(-index - 1),
            uiSort: index + 1,
            ...(field['columnName'] === undefined || field['columnName'] === null
              ? {}
              : { tableName: file['tableName'] }),
            ...field,
          }
        : field,
    ),
  } satisfies Record<keyof Pick<EntityDraft, 'fields'>, unknown>
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One difference between two definitions: its path, and the value before and after. */
export interface DefinitionChange {
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly before: unknown
  readonly after: unknown
}

/**
 * The changes between two files. Fields and buttons are matched by name; a new order of fields is
 * one change.
 */
export function definitionChanges(before: Plain, after: Plain): readonly DefinitionChange[] {
  const namesOf = (file: Plain) => Object.keys(indexByKey(file['fields'], 'attrName'))
  const [left, right] = [namesOf(before), namesOf(after)]
  const common = (names: readonly string[], other: readonly string[]) =>
    names.filter((name) => other.includes(name))
  const shaped = (file: Plain) => ({
    ...file,
    fields: indexByKey(file['fields'], 'attrName'),
    buttons: indexByKey(file['buttons'], 'code'),
  })
  const order = isSameJson(common(left, right), common(right, left))
    ? []
    : [{ path: 'fields', kind: 'changed' as const, before: left, after: right }]
  return [...changesIn('', shaped(before), shaped(after)), ...order]
}

function indexByKey(list: unknown, key: string): Plain {
  return Object.fromEntries(
    (Array.isArray(list) ? (list as Plain[]) : []).map((item) => [String(item[key]), item]),
  )
}

function changesIn(path: string, before: unknown, after: unknown): DefinitionChange[] {
  if (isSameJson(before, after)) return []
  if (before === undefined || after === undefined)
    return [
      {
        path,
        kind: before === undefined ? 'added' : 'removed',
        before: before ?? null,
        after: after ?? null,
      },
    ]
  if (!isPlain(before) || !isPlain(after)) return [{ path, kind: 'changed', before, after }]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changesIn(path === '' ? key : `${path}.${key}`, before[key], after[key]),
  )
}
