/**
 * Kinds of fields (docs/spec/1-entity-console.md §3,
 * docs/spec/2-student-service-and-designer.md §3). `popWindowList` is omitted because the source
 * disables it.
 */
export const uiTypes = [
  'input',
  'textarea',
  'password',
  'inputNumber',
  'select',
  'multiSelect',
  'checkbox',
  'radio',
  'switch',
  'date',
  'datetime',
  'year',
  'time',
  'rate',
  'selectTree',
  'multiSelectTree',
  'group',
  'separate',
  'uploadImg',
  'richTextEditor',
] as const
export type UiType = (typeof uiTypes)[number]

/** Query operators (docs/spec/2-student-service-and-designer.md §3). */
export const queryOperators = [
  'equal',
  'notEqual',
  'gt',
  'ge',
  'lt',
  'le',
  'in',
  'multiContains',
  'between',
  'like',
  'leftLike',
  'rightLike',
] as const
export type QueryOperator = (typeof queryOperators)[number]

/**
 * The operator of a stored queryType. Any `*_range` is an alias of `between`
 * (docs/rules/contract.md#entity-data); unknown words mean `equal`, the default.
 */
export function toQueryOperator(queryType: string | null | undefined): QueryOperator {
  const word = queryType ?? 'equal'
  if (word.endsWith('_range')) return 'between'
  return (queryOperators as readonly string[]).includes(word) ? (word as QueryOperator) : 'equal'
}

/** Validators named in `valids.type`, a comma-separated list (docs/spec/1-entity-console.md §5). */
export const validators = [
  'Email',
  'mobile',
  'Http',
  'Number',
  'Digits',
  'PositiveNumber',
  'Idcard',
] as const
export type Validator = (typeof validators)[number]

/** Kinds of personal data that a field may hold (docs/rules/security.md#d4). */
export const piiKinds = ['idCard', 'mobile', 'email', 'name', 'address', 'bank'] as const
export type PiiKind = (typeof piiKinds)[number]

/** Field widths in percent (docs/spec/2-student-service-and-designer.md §3). */
export const uiWidths = [25, 33.33, 50, 75, 100] as const

/**
 * Source of a field's choices: none, a dictionary by its code, another entity as `TAG.attrName`,
 * custom SQL (docs/spec/2-student-service-and-designer.md §3).
 */
export const dictTypes = { none: -1, dictionary: 0, entity: 1, sql: 2 } as const
/**
 * Source of a field's default: none, a text, the context (user, department, time), a system
 * parameter, custom SQL (docs/spec/2-student-service-and-designer.md §3).
 */
export const defaultTypes = { none: -1, text: 0, context: 1, constant: 2, sql: 3 } as const
/** Default-value constants of type `context` (docs/spec/2-student-service-and-designer.md §3). */
export const defaultConstants = ['currentUser', 'currentOrg', 'currentTime'] as const
export const linkTypes = { none: -1, link: 1, event: 2 } as const
export const serialTypes = { autoIncrement: 1, custom: 2, snowflake: 3 } as const
/** Position of a button (docs/spec/1-entity-console.md §3). */
export const buttonPositions = { toolbar: 1, row: 2, editToolbar: 3, detailToolbar: 4 } as const
/**
 * How forms and details open (docs/spec/1-entity-console.md §2): as drawer or dialog over the list,
 * in a tab of the console, or in a browser window.
 */
export const openTypes = ['drawer', 'dialog', 'tab', 'window'] as const
export type OpenType = (typeof openTypes)[number]

/**
 * Columns that the server fills and obeys (docs/rules/security.md#permissions, system columns): those
 * of the product's own tables, and those that a definition names for a table from elsewhere.
 */
export const systemColumns = [
  'tenant_id',
  'org_id',
  'create_user',
  'create_time',
  'update_user',
  'update_time',
  'version',
  'deleted_at',
] as const
export type SystemColumn = (typeof systemColumns)[number]
