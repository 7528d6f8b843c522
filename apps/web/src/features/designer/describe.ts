// A definition's parts in words, for comparing two of them.
import { type EntityDefinition, type FieldDefinition, type TextKey, texts } from '@jiaowu/api'

type Words = (key: TextKey) => string
export interface Difference {
  readonly part: string
  readonly left: string
  readonly right: string
}

export function attributeName(name: string, words: Words): string {
  const key = attributeKey(name)
  return key === null ? name : words(key)
}

function attributeKey(name: string): TextKey | null {
  const key = `designer.a.${name}`
  return Object.hasOwn(texts, key) ? (key as TextKey) : null
}

/** What a part of a definition is called: `field:studentNo`, `order`, `options`, `name`. */
export function partName(part: string, words: Words, field: (name: string) => string): string {
  if (part.startsWith('field:')) return field(part.slice('field:'.length))
  if (part === 'order' || part === 'options' || part === 'buttons')
    return words(`designer.stale.${part}`)
  return attributeName(part, words)
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

const silent = new Set(['id', 'uiSort'])

/** What two of a kind say differently, key by key. */
export function differences(left: object, right: object): readonly Difference[] {
  const [a, b] = [new Map(flat(left, '')), new Map(flat(right, ''))]
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter(
      (key) =>
        !silent.has(key) &&
        JSON.stringify(a.get(key) ?? null) !== JSON.stringify(b.get(key) ?? null),
    )
    .map((part) => ({ part, left: valueText(a.get(part)), right: valueText(b.get(part)) }))
}

/** `options.column.width` and the like, with their values. */
function flat(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  return isRecord(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) =>
        flat(inner, path === '' ? key : `${path}.${key}`),
      )
    : [[path, value]]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface FieldDifference {
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

/** Two definitions beside each other: the entity's own attributes, then field by field. */
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
    const changes = differences(x, y)
    return changes.length === 0 ? [] : [{ attrName, label, is: 'changed', changes }]
  })
  const labels = (list: readonly FieldDefinition[], other: ReadonlyMap<string, unknown>) =>
    list.toSorted((x, y) => x.uiSort - y.uiSort).filter(({ attrName }) => other.has(attrName))
  const [orderLeft, orderRight] = [labels(before, b), labels(after, a)]
  const isReordered =
    orderLeft.map(({ attrName }) => attrName).join() !==
    orderRight.map(({ attrName }) => attrName).join()
  return {
    own: differences(ownLeft, ownRight),
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
