import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { weightedLength } from '@jiaowu/validation'

const pad = (n: number) => String(n).padStart(2, '0')
/** Sample values by kind, for kinds that need a special one. */
const valueByKind: Readonly<
  Partial<Record<Field['uiType'], (field: Field, n: number) => WireValue>>
> = {
  date: (_field, n) => `2026-03-${pad(n)}`,
  datetime: (_field, n) => `2026-03-${pad(n)} 09:${pad(n * 5)}:00`,
  year: (_field, n) => String(2026 - n),
  time: (_field, n) => `${pad(8 + n)}:30:00`,
  rate: (_field, n) => 1 + (n % 5),
  password: () => null,
  richTextEditor: (field, n) => `<p>${field.uiLabel.replace(/[<>&]/g, '')} ${n}</p>`,
  textarea: (field, n) => `${field.uiLabel} ${n}\n${field.uiLabel}`,
}

/** Sample texts by validation rule. */
const textByRule: Readonly<Record<string, (n: number) => string>> = {
  Email: (n) => `name${n}@example.edu.cn`,
  mobile: (n) => `1380000000${n}`,
  Http: (n) => `https://www.example.edu.cn/${n}`,
  Digits: (n) => String(2026000 + n),
  Number: (n) => String(10 * n),
  PositiveNumber: (n) => String(n),
  Idcard: () => '11010519491231002X',
}

function sampleValue(field: Field, n: number): WireValue {
  const { family, multiple, empty } = findKind(field.uiType)
  const special = valueByKind[field.uiType]
  if (special !== undefined) return special(field, n)
  if (family === 'flag') return n % 2 === 1 ? '1' : '0'
  if (family === 'number') return number(field, n)
  if (family === 'choice') {
    const items = field.dictData ?? []
    const at = (n - 1) % Math.max(1, items.length)
    return items.slice(at, at + (multiple ? 2 : 1)).map(({ id, name }) => ({ id, name }))
  }
  if (family !== 'text') return empty
  const rule = textByRule[(field.valids.type ?? '').split(',')[0]?.trim() ?? '']
  const text = rule === undefined ? `${field.uiLabel} ${n}` : rule(n)
  return truncate(text, field.valids.maxLength ?? field.options.maxLength ?? Infinity)
}

/** Deterministic sample rows for the kinds and rules of the fields. `n` of a row counts from 1. */
export function sampleRows(config: EntityConfig, count: number): readonly Row[] {
  return Array.from({ length: count }, (_none, index) => ({
    ...Object.fromEntries(
      config.fields.map((field) => [field.attrName, sampleValue(field, index + 1)]),
    ),
    id: String(index + 1),
    version: 1,
  }))
}

/**
 * Shortens a text to a weighted length, in which a Chinese character counts as two
 * (docs/spec/1-entity-console.md §5).
 */
function truncate(text: string, max: number): string {
  let cut = text
  while (weightedLength(cut) > max) cut = cut.slice(0, -1)
  return cut
}

function number({ options: { precision = 0 } }: Field, n: number): number {
  return Number((n * 12.5).toFixed(precision))
}
