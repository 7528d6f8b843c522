import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import {
  type Cascade,
  type EntityDefinition,
  entityDefinitionSchema,
  type EntityDraft,
  type FieldDraft,
} from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import type { PiiKind, UiType } from '@jiaowu/api/entity/enums'
import * as v from 'valibot'

/**
 * Uses of a field: L list, Q query, D detail, X export, A add, E edit; a and e: read-only there.
 */
type Uses = string
interface FieldOptions {
  readonly as?: UiType
  readonly uses?: Uses
  readonly query?: string
  /** Code of a dictionary. */
  readonly dict?: string
  /** `TAG.attrName` of another entity; `{attrName}`: of that which a field of the row names. */
  readonly ref?: string
  readonly cascades?: readonly Cascade[]
  readonly required?: true
  readonly max?: number
  /** The shortest length, where Chinese characters count as two. */
  readonly min?: number
  readonly type?: string
  readonly bounds?: Pick<NonNullable<FieldDraft['valids']>, 'min' | 'max' | 'step'>
  readonly width?: 25 | 33.33 | 50 | 75 | 100
  readonly column?: {
    width?: number
    align?: 'left' | 'center' | 'right'
    fixed?: 'left' | 'right'
  }
  readonly default?: string
  readonly context?: 'currentUser' | 'currentOrg' | 'currentTime'
  readonly placeholder?: string
  readonly precision?: number
  readonly money?: 'fen'
  readonly warnUnless?: string
  readonly derived?: string
  /** Null: a custom field, without a column. */
  readonly columnName?: string | null
  readonly link?: string
  readonly pii?: PiiKind
}
export type FieldLine = readonly [
  attrName: string,
  label: string,
  labelEn: string,
  more?: FieldOptions,
]
const has = (uses: Uses, letter: string) => (uses.includes(letter) ? 1 : 0)

/** A script button: `[code, name, name in English, icon, position, visible when, actions]`. */
type ButtonLine = readonly [
  code: string,
  name: string,
  nameEn: string,
  icon: string,
  position: Button['position'],
  when: string | null,
  actions: readonly ButtonAction[],
]

interface Lines {
  /** The ids of fields are derived from it: never change it. */
  readonly no: number
  readonly tag: string
  readonly name: string
  readonly nameEn: string
  readonly table: `${'biz' | 'sys'}.${string}`
  readonly titled?: string
  /** Names a record in questions, messages and previews; columns of other lists show `titled`. */
  readonly title: string
  /** The second line of a choice. */
  readonly subtitle?: string
  readonly parent?: string
  readonly options?: EntityDraft['options']
  readonly fields: readonly FieldLine[]
  readonly buttons?: readonly ButtonLine[]
}

/**
 * Builds a shipped definition, validated like those of the designer.
 * @throws v.ValiError, which stops the server at start
 */
export function entity({
  no,
  tag,
  name,
  nameEn,
  table,
  titled = 'name',
  title,
  subtitle,
  parent,
  options = {},
  fields,
  buttons = [],
}: Lines): EntityDefinition {
  const [schemaName, tableName = ''] = table.split('.')
  return v.parse(entityDefinitionSchema, {
    tag,
    name,
    nameEn,
    schemaName,
    tableName,
    idField: 'id',
    tagField: titled,
    parentField: parent ?? null,
    options: {
      titlePattern: title,
      titleInColumns: false,
      ...(subtitle === undefined ? {} : { subtitlePattern: subtitle }),
      ...options,
    },
    fields: fields.map(buildField(no, tableName)),
    buttons: buttons.map(([code, label, labelEn, icon, position, positionExp, actions]) => ({
      code,
      name: label,
      nameEn: labelEn,
      icon,
      position,
      positionExp,
      eventType: 1,
      eventContent: [...actions],
    })),
  })
}

function buildField(entityNo: number, table: string) {
  return ([attrName, uiLabel, labelEn, more = {}]: FieldLine, index: number): FieldDraft => {
    const uiType = more.as ?? 'input'
    const isLayout = !holdsValue(uiType)
    const uses = more.uses ?? (isLayout ? 'DAE' : 'LDXAE')
    const columnName = isLayout
      ? null
      : more.columnName === undefined
        ? snake(attrName)
        : more.columnName
    return {
      id: String(entityNo * 100 + index + 1),
      attrName,
      uiLabel,
      uiType,
      columnName,
      tableName: columnName === null ? null : table,
      uiSort: index + 1,
      uiWidth: more.width ?? (isLayout ? 100 : 50),
      isList: has(uses, 'L'),
      isQuery: has(uses, 'Q'),
      isDetail: has(uses, 'D'),
      isExport: has(uses, 'X'),
      isAdd: mode(uses, 'A', 'a'),
      isEdit: mode(uses, 'E', 'e'),
      queryType: more.query ?? 'equal',
      ...buildSource(more),
      ...buildDefault(more),
      ...(more.pii === undefined ? {} : { pii: more.pii }),
      ...(more.link === undefined ? {} : { linkType: 1, linkUrl: more.link }),
      ...(more.derived === undefined ? {} : { derived: more.derived }),
      valids: buildValids(more),
      options: buildOptions(more, labelEn),
    }
  }
}

function snake(attrName: string) {
  return attrName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function mode(uses: Uses, full: string, shown: string) {
  return uses.includes(full) ? 1 : uses.includes(shown) ? 2 : 0
}

function buildSource({ dict, ref }: FieldOptions): Pick<FieldDraft, 'dictType' | 'dictValue'> {
  return dict !== undefined
    ? { dictType: 0, dictValue: dict }
    : ref !== undefined
      ? { dictType: 1, dictValue: ref }
      : {}
}

function buildDefault(more: FieldOptions): Pick<FieldDraft, 'uiDefaultType' | 'defaultValue'> {
  return more.default !== undefined
    ? { uiDefaultType: 0, defaultValue: more.default }
    : more.context !== undefined
      ? { uiDefaultType: 1, defaultValue: more.context }
      : {}
}

function buildValids({ required, max, min, type, bounds }: FieldOptions): FieldDraft['valids'] {
  return {
    ...(required === undefined ? {} : { required }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(min === undefined ? {} : { minLength: min }),
    ...(type === undefined ? {} : { type }),
    ...bounds,
  }
}

function buildOptions(
  { cascades, column, placeholder, precision, money, warnUnless }: FieldOptions,
  labelEn: string,
): FieldDraft['options'] {
  return {
    labelEn,
    ...(cascades === undefined ? {} : { cascades: [...cascades] }),
    ...(column === undefined ? {} : { column }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(precision === undefined ? {} : { precision }),
    ...(money === undefined ? {} : { money }),
    ...(warnUnless === undefined ? {} : { warnUnless }),
  }
}

/** Timestamps shown in the details of every entity. */
export const times: readonly FieldLine[] = [
  ['createTime', '创建时间', 'Created', { as: 'datetime', uses: 'DX' }],
  ['updateTime', '更新时间', 'Updated', { as: 'datetime', uses: 'D' }],
]
