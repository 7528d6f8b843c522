// Names and values of the parts of a definition as text, and the comparison of two definitions.
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { type TextKey, texts } from '@jiaowu/api/texts/index'

type Translate = (key: TextKey) => string
export interface Difference {
  readonly part: string
  readonly left: string
  readonly right: string
}

function attributeName(name: string, translate: Translate): string {
  const key = attributeKey(name)
  return key === null ? name : translate(key)
}

function attributeKey(name: string): TextKey | null {
  const key = `designer.a.${name}`
  return Object.hasOwn(texts, key) ? (key as TextKey) : null
}

/**
 * Display name of a part of a definition, such as `field:studentNo`, `order`, `options` or `name`.
 */
export function partName(
  part: string,
  translate: Translate,
  field: (name: string) => string,
): string {
  if (part.startsWith('field:')) return field(part.slice('field:'.length))
  if (part === 'order' || part === 'options' || part === 'buttons')
    return translate(`designer.stale.${part}`)
  return attributeName(part, translate)
}

export function valueText(value: unknown): string {
  return value === null || value === undefined || value === ''
    ? '—'
    : typeof value === 'string'
      ? value
      : Array.isArray(value) && value.every((each) => typeof each === 'string')
        ? value.join('、')
        : JSON.stringify(value)
}

/** Keys whose differences mean nothing to the user. */
const ignoredKeys = new Set(['id', 'uiSort'])

/** Differences of two objects, one per changed key path. */
export function listDifferences(left: object, right: object): readonly Difference[] {
  const [a, b] = [new Map(flat(left, '')), new Map(flat(right, ''))]
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter(
      (key) =>
        !ignoredKeys.has(key) &&
        JSON.stringify(a.get(key) ?? null) !== JSON.stringify(b.get(key) ?? null),
    )
    .map((part) => ({ part, left: valueText(a.get(part)), right: valueText(b.get(part)) }))
}

/** Key paths such as `options.column.width` with their values. */
function flat(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  return isRecordObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) =>
        flat(inner, path === '' ? key : `${path}.${key}`),
      )
    : [[path, value]]
}

function isRecordObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface FieldDifference {
  readonly attrName: string
  readonly label: string
  readonly is: 'added' | 'removed' | 'changed'
  readonly changes: readonly Difference[]
}
export interface DefinitionDifference {
  readonly own: readonly Difference[]
  readonly fields: readonly FieldDifference[]
  readonly order: Difference | null
}

/**
 * Differences of two definitions: of the entity itself (`own`), of each field, and of the order of
 * the common fields.
 */
export function compareDefinitions(
  left: EntityDefinition,
  right: EntityDefinition,
): DefinitionDifference {
  const { fields: before, ...ownLeft } = left
  const { fields: after, ...ownRight } = right
  const [a, b] = [
    new Map(before.map((field) => [field.attrName, field])),
    new Map(after.map((field) => [field.attrName, field])),
  ]
  const fields = [...new Set([...a.keys(), ...b.keys()])].flatMap((attrName): FieldDifference[] => {
    const [x, y] = [a.get(attrName), b.get(attrName)]
    const label = (y ?? x)?.uiLabel ?? attrName
    if (x === undefined || y === undefined)
      return [{ attrName, label, is: x === undefined ? 'added' : 'removed', changes: [] }]
    const changes = listDifferences(x, y)
    return changes.length === 0 ? [] : [{ attrName, label, is: 'changed', changes }]
  })
  const labels = (list: readonly FieldDefinition[], other: ReadonlyMap<string, unknown>) =>
    list.toSorted((x, y) => x.uiSort - y.uiSort).filter(({ attrName }) => other.has(attrName))
  const [orderLeft, orderRight] = [labels(before, b), labels(after, a)]
  const isReordered =
    orderLeft.map(({ attrName }) => attrName).join() !==
    orderRight.map(({ attrName }) => attrName).join()
  return {
    own: listDifferences(ownLeft, ownRight),
    fields,
    order: isReordered
      ? {
          part: 'order',
          left: orderLeft.map(({ uiLabel }) => uiLabel).join('、'),
          right: orderRight.map(({ uiLabel }) => uiLabel).join('、'),
        }
      : null,
  }
}
