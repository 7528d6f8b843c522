// The field that names a row to users.
import { type FieldDraft, kindOf } from '@jiaowu/api'
import type { InspectedTable } from './inspect.ts'

/** Parts of an address, links and codes of a region: many rows share them. */
const shared =
  /(^|_|[a-z])(zip|zipcode|postal|postcode|postal_code|phone|fax|mobile|address|addr|street|city|state|region|country|url|uri|image|img|photo|path|avatar|icon|password|token|description|comment|remarks?|notes?|type|status|color|version|ip)(_?(code|id|no|\d))?$/i
const numbers =
  /(^|_)(code|no|number|num|sn|key|account|login|username|email)$|编号|编码|学号|工号|账号/i

/** Null where nothing tells the rows apart. */
export function titleOf(
  table: InspectedTable,
  fields: readonly FieldDraft[],
  key: readonly string[],
): string | null {
  const unique = new Set(
    [...table.catalog.uniques.values()].flatMap((columns) => (columns.length === 1 ? columns : [])),
  )
  const stem = singular(table.name)
  const best = fields
    .map((field, at) => ({ field, at, score: scoreOf(field, stem, unique, key) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.at - b.at)[0]
  return best?.field.attrName ?? null
}

function singular(name: string): string {
  return name.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
}

function scoreOf(
  field: FieldDraft,
  stem: string,
  unique: ReadonlySet<string>,
  key: readonly string[],
): number {
  const { family, markup, secret } = kindOf(field.uiType ?? 'input')
  const isKey = key.length === 1 && key[0] === field.columnName
  if (field.isDetail !== 1 || field.isAdd === 0 || secret || markup) return 0
  // A number that people type names a row better than a text that many rows share.
  if (family === 'number') return isKey ? 30 : 0
  return family === 'text' ? textScore(field, stem, unique, isKey) : 0
}

function textScore(
  field: FieldDraft,
  stem: string,
  unique: ReadonlySet<string>,
  isKey: boolean,
): number {
  const { singleLine } = kindOf(field.uiType ?? 'input')
  const column = field.columnName ?? ''
  const name = column.toLowerCase()
  const byName = nameScore(name, stem)
  if (byName > 0) return byName + (singleLine ? 1 : 0)
  if (unique.has(column) && !isKey) return 60
  if (numbers.test(name)) return 50
  if (shared.test(name)) return 0
  if (isKey) return 30
  return singleLine ? 20 : field.pii === undefined ? 5 : 0
}

/** Names that say what a row is called, the plainest first. */
const patterns: readonly (readonly [RegExp, number])[] = [
  [/^(name|title|subject|xm|mc|姓名|名称|标题)$/, 100],
  [/(full_?name|real_?name|display_?name|nick_?name)$/, 88],
  [/(file|class|method|host|middle|table|column)_?name$/, 0],
  // The name of somebody else: many rows share it.
  [
    /(^|_)(ship|bill|billing|shipping|delivery|contact|recipient|receiver|company)_?(to_?)?name$/,
    25,
  ],
  [/(last|sur)_?name$/, 72],
  [/(first|user)_?name$/, 70],
  [/(name|title|subject|名称?|姓名|标题)$/, 80],
]

function nameScore(name: string, stem: string): number {
  if ([`${stem}_name`, `${stem}name`, `${stem}_title`].includes(name)) return 95
  if (name === stem) return 68
  return patterns.find(([pattern]) => pattern.test(name))?.[1] ?? 0
}
