// The field that names a row to users.
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { titleNames } from '@jiaowu/api/entity/title'
import type { InspectedTable } from './inspect.ts'
import { isStampName } from './names.ts'

/** Parts of an address, links and codes of a region: many rows share them. */
const shared =
  /(^|_|[a-z])(zip|zipcode|postal|postcode|postal_code|phone|fax|mobile|address|addr|street|city|state|region|country|url|uri|image|img|photo|path|avatar|icon|password|token|description|comment|remarks?|notes?|type|status|color|version|ip)(_?(code|id|no|\d))?$/i
const numbers =
  /(^|_)(code|no|number|num|sn|key|account|login|username|email)$|编号|编码|学号|工号|账号/i

/** Whether a column is called like a number that people read: a code, an account. */
export function isNumberName(columnName: string): boolean {
  return numbers.test(columnName)
}

/** A title: the field that names a row, and a pattern where one field does not tell rows apart. */
export interface DraftedTitle {
  readonly tagField: string | null
  readonly pattern: string | null
}

export function draftTitle(
  table: InspectedTable,
  fields: readonly FieldDraft[],
  key: readonly string[],
): DraftedTitle {
  const tagField = bestField(table, fields, key)
  const pattern = isFullName(fields, tagField)
    ? null
    : (personPattern(fields) ?? uniquePattern(table, fields, key, tagField))
  const [first = null] = pattern === null ? [] : titleNames(pattern)
  return { tagField: tagField ?? first, pattern }
}

function isFullName(fields: readonly FieldDraft[], tagField: string | null): boolean {
  const column = fields.find(({ attrName }) => attrName === tagField)?.columnName ?? ''
  return /^(name|xm|姓名)$|(full|real|display|nick)_?name$/i.test(column)
}

/** The two halves of a person's name, as both alphabets order them. */
const halves = [
  {
    first: /^(first|given|fore)_?names?$/i,
    last: /^(last_?sur|last|sur|family)_?names?$/i,
    by: ' ',
  },
  { first: /^(姓|姓氏|xing)$/i, last: /^(名|名字|ming)$/i, by: '' },
] as const

function personPattern(fields: readonly FieldDraft[]): string | null {
  for (const { first, last, by } of halves) {
    const named = (pattern: RegExp) =>
      fields.find((field) => pattern.test(field.columnName ?? '') && isPart(field))
    const [one, two] = [named(first), named(last)]
    if (one !== undefined && two !== undefined) return `{${one.attrName}}${by}{${two.attrName}}`
  }
  return null
}

/**
 * The columns of the smallest unique index with the title, where each is short and none is another
 * row's number.
 */
function uniquePattern(
  { catalog, links }: InspectedTable,
  fields: readonly FieldDraft[],
  key: readonly string[],
  tagField: string | null,
): string | null {
  const titled = fields.find(({ attrName }) => attrName === tagField)?.columnName ?? null
  const linked = new Set(links.flatMap(({ columns }) => columns))
  if ([...catalog.uniques.values()].some((columns) => columns.join() === titled)) return null
  const sets = [...catalog.uniques.values()]
    .filter((columns) => columns.length >= 2 && columns.length <= 3)
    .filter((columns) => titled === null || columns.includes(titled))
    .filter((columns) => key.length > 1 || !columns.some((column) => key.includes(column)))
    .toSorted((a, b) => a.length - b.length)
  for (const columns of sets) {
    const parts = columns.map((column) => fields.find(({ columnName }) => columnName === column))
    if (
      parts.every(
        (field) => field !== undefined && isPart(field) && !linked.has(field.columnName ?? ''),
      )
    )
      return parts.map((field) => `{${field?.attrName ?? ''}}`).join(' ')
  }
  return null
}

/** A plain value that users may see. */
function isPart({ uiType = 'input', isDetail, isAdd }: FieldDraft): boolean {
  const { family, secret, singleLine, temporal } = findKind(uiType)
  return (
    isDetail === 1 &&
    isAdd === 1 &&
    !secret &&
    ((family === 'text' && singleLine) || family === 'number' || temporal !== null)
  )
}

/** Null where nothing tells the rows apart. */
function bestField(
  table: InspectedTable,
  fields: readonly FieldDraft[],
  key: readonly string[],
): string | null {
  const unique = new Set(
    [...table.catalog.uniques.values()].flatMap((columns) => (columns.length === 1 ? columns : [])),
  )
  const stem = findStem(table)
  const best = fields
    .map((field, at) => ({ field, at, score: scoreTitleField(field, stem, unique, key) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.at - b.at)[0]
  return best?.field.attrName ?? null
}

/** Words for a row of a table. */
interface Stem {
  readonly name: string
  readonly comment: string
}

function singular(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(?:t|tb|tbl|sys|system|edu|base|biz)_/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
}

function scoreTitleField(
  field: FieldDraft,
  stem: Stem,
  unique: ReadonlySet<string>,
  key: readonly string[],
): number {
  const { family, markup, secret } = findKind(field.uiType ?? 'input')
  const isKey = key.length === 1 && key[0] === field.columnName
  if (field.isDetail !== 1 || field.isAdd === 0 || secret || markup) return 0
  // A number that people type names a row better than a text that many rows share.
  if (family === 'number') return isKey ? 30 : 0
  return family === 'text' ? textScore(field, stem, unique, isKey) : 0
}

/** Whether a field is called like the name or number of a row, and is no text that merely stands there. */
export function namesRow(
  field: FieldDraft,
  table: Pick<InspectedTable, 'name' | 'comment'>,
): boolean {
  const stem = findStem(table)
  const name = (field.columnName ?? '').toLowerCase()
  return nameScore(name, stem) > 0 || labelScore(field, stem) > 0 || numbers.test(name)
}

function findStem({ name, comment }: Pick<InspectedTable, 'name' | 'comment'>): Stem {
  return { name: singular(name), comment }
}

function textScore(
  field: FieldDraft,
  stem: Stem,
  unique: ReadonlySet<string>,
  isKey: boolean,
): number {
  const { singleLine } = findKind(field.uiType ?? 'input')
  const column = field.columnName ?? ''
  const name = column.toLowerCase()
  const byName = Math.max(nameScore(name, stem), labelScore(field, stem))
  if (byName > 0) return byName + (singleLine ? 1 : 0)
  if (isStampName(column)) return 0
  if (unique.has(column) && !isKey) return 60
  if (numbers.test(name)) return 50
  if (shared.test(name)) return 0
  if (isKey) return 30
  return singleLine ? 20 : field.pii === undefined ? 5 : 0
}

/** Names that say what a row is called, the plainest first. */
const patterns: readonly (readonly [RegExp, number])[] = [
  [/^(name|title|subject|xm|mc|姓名|名称|标题)$/, 100],
  // Initials of 课程名, 专业名称, 班级名称.
  [/^(kcm|kcmc|zym|zymc|bjm|bjmc|xym|xymc|yxmc|xsxm|jsxm|jsmc)$/, 90],
  [/(full_?name|real_?name|display_?name|nick_?name)$/, 88],
  [
    /(file|class|method|host|middle|maiden|former|previous|pending|birth|spouse|table|column)_?name$/,
    0,
  ],
  // The name of another record: many rows share it.
  [
    /(^|_)(ship|bill|billing|shipping|delivery|contact|recipient|receiver|company)_?(to_?)?name$/,
    25,
  ],
  [/(last|sur)_?name$/, 72],
  [/(first|user)_?name$/, 70],
  [/(name|title|subject|名称?|姓名|标题)$/, 80],
]

/** Labels that say what a row is called: 课程名, 专业名称; not the names of files, users or columns. */
function labelScore({ columnComment, uiLabel }: FieldDraft, { comment }: Stem): number {
  if ((columnComment ?? '') === '') return 0
  if (/^(姓名|名称|标题|题目|主题)$/.test(uiLabel)) return 100
  if (!/(名|名称|名字|姓名|标题)$/.test(uiLabel) || otherNames.test(uiLabel)) return 0
  const subject = uiLabel.replace(/(名|名称|名字|姓名|标题)$/, '')
  return subject.length > 1 && comment.includes(subject) ? 95 : 80
}
const otherNames =
  /(文件|类|方法|表|列|字段|域|主机|登录|用户|签|别|曾用|英文|拼音|排|匿|所属.*|属性|服务|组件|函数|包|实体|模块|网|网站|银行|开户行|联系人|监护人|父亲|母亲|家长)(名|名称|名字|姓名)$/

function nameScore(name: string, { name: stem }: Stem): number {
  if ([`${stem}_name`, `${stem}name`, `${stem}_title`].includes(name)) return 95
  if (name === stem) return 68
  return patterns.find(([pattern]) => pattern.test(name))?.[1] ?? 0
}
