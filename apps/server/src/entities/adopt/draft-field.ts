// The first field of a column: its kind, label, rules, choices and default, from what the catalog and
// the column's name and comment say.
import { cutText } from '@jiaowu/api/cut-text'
import { defaultTypes, dictTypes, type UiType } from '@jiaowu/api/entity/enums'
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { proposedPii } from '@jiaowu/api/pii'
import { soundsSecret } from '@jiaowu/api/entity/definition/secret-names'
import { t } from '@jiaowu/api/texts/index'
import { operatorFor } from '@jiaowu/validation'
import { isOwnColumn, isOwnSchema } from '../../model/definition/school-columns.ts'
import { familyOf } from '../../model/fields/column.ts'
import { rulesOfChecks } from './check-rules.ts'
import { type Choice, choicesOfCheck, readChoiceName, readComment } from './choices.ts'
import type { InspectedColumn, InspectedTable } from './inspect.ts'
import { isLongText } from './long-text.ts'
import { attrNameFor, readable } from './names.ts'

/** Where a column stands in its table. */
export interface Place {
  readonly table: InspectedTable
  readonly tag: string
  /** Columns of the key, in its order. */
  readonly key: readonly string[]
  /** Columns that a foreign key of one column starts from. */
  readonly linked: ReadonlySet<string>
  /** attrNames in use, in lower case. */
  readonly taken: ReadonlySet<string>
  readonly uiSort: number
}

const stampNames = ['create_user', 'create_time', 'update_user', 'update_time'] as const

export function draftField(column: InspectedColumn, place: Place): FieldDraft {
  const { table, key, taken, uiSort } = place
  const isKey = key.includes(column.name)
  const { label, choices: listed, help } = readComment(column.comment)
  const choices = place.linked.has(column.name) ? null : chooseChoices(column, listed)
  const uiType = choices === null ? chooseUiType(column, place) : 'select'
  // A relation is a choice, so its name cannot be the one of the row's id.
  const isRowId = isKey && key.length === 1 && !place.linked.has(column.name)
  const attrName = attrNameFor(column.name, isRowId, taken)
  const writes = draftWriting(column, place)
  const isText = familyOf(column) === 'text'
  const valids = draftRules(column, place, uiType, writes.isAdd === 1)
  const required = valids.required === true
  const uiLabel = label === '' ? readable(column.name) : label
  const base: FieldDraft = {
    id: String(-uiSort),
    tableName: table.name,
    uiSort,
    columnName: column.name,
    columnType: shortType(column.shownType),
    columnComment: column.comment,
    attrName,
    uiLabel,
    uiType,
    uiWidth: 50,
    isPk: isKey ? 1 : 0,
    isNull: column.nullable ? 1 : 0,
    isList: writes.isHiddenKey ? 0 : 1,
    isDetail: 1,
    isExport: 1,
    isQuery: 0,
    isAdd: writes.isAdd,
    isEdit: writes.isEdit,
    queryType: operatorFor(uiType),
    valids,
    options: { ...draftOptions(column, uiType), ...(help !== '' && { help: cutText(help, 500) }) },
    ...draftSource(column, choices, place.tag),
    ...(writes.isAdd === 1 ? defaultFrom(column, uiType, choices) : {}),
  }
  const withStamp = { ...base, ...draftStamp(column, table) }
  const secret = draftSecret(column, isText, required)
  if (secret !== null) return { ...withStamp, ...secret }
  return { ...withStamp, ...personal(withStamp, isKey, isText) }
}

/** Rules that the type, the checks and the key of a column tell. */
function draftRules(
  column: InspectedColumn,
  { key }: Place,
  uiType: UiType,
  isWritten: boolean,
): NonNullable<FieldDraft['valids']> {
  const { family } = findKind(uiType)
  const isText = familyOf(column) === 'text'
  const { required: isChecked, ...checked } = rulesOfChecks(column, family === 'number')
  const isMust =
    (!column.nullable || isChecked === true) &&
    !column.hasDefault &&
    isWritten &&
    !isKeyByServer(column, key)
  const isPlain = family !== 'choice'
  return {
    ...(isMust && { required: true }),
    ...(isText && isPlain && column.length !== null && { maxChars: column.length }),
    ...(isPlain && (isText || family === 'number') ? checked : {}),
  }
}

function draftOptions(column: InspectedColumn, uiType: UiType): NonNullable<FieldDraft['options']> {
  const { scale } = column
  return {
    ...(readComment(column.comment).label === '' && { labelEn: readable(column.name) }),
    ...(findKind(uiType).family === 'number' &&
      scale !== null &&
      scale <= 10 && { precision: scale }),
  }
}

/** Choices become a dictionary when the definition is saved. */
function draftSource(
  column: InspectedColumn,
  choices: readonly Choice[] | null,
  tag: string,
): Partial<FieldDraft> {
  return choices === null
    ? {}
    : {
        dictType: dictTypes.dictionary,
        dictValue: dictionaryCode(column, tag),
        options: { ...draftOptions(column, 'select'), items: [...choices] },
      }
}

/** Personal data is masked; a key is the name of the row in every address, so a mask would not hide it. */
function personal(field: FieldDraft, isKey: boolean, isText: boolean): Partial<FieldDraft> {
  if (isKey || field.isAdd === 0 || !isText) return {}
  const pii = proposedPii({
    columnName: field.columnName,
    columnComment: field.columnComment,
    attrName: field.attrName,
    uiLabel: field.uiLabel,
    uiType: field.uiType,
  })
  return pii === null ? {} : { pii }
}

/** The server gives single keys that are bigints or uuids, the database those with a default. */
function isKeyByServer(column: InspectedColumn, key: readonly string[]): boolean {
  return (
    key.length === 1 && key[0] === column.name && (column.type === 'int8' || column.type === 'uuid')
  )
}

function draftWriting(column: InspectedColumn, { table, key, linked }: Place) {
  const isKey = key.includes(column.name)
  const isRelation = linked.has(column.name)
  if (column.generated)
    return { isAdd: 0, isEdit: 0, isHiddenKey: isKey && key.length === 1 } as const
  if (!isKey) {
    const isServers = stampNames.some(
      (name) => name === column.name && isOwnColumn(table.schema, name, column),
    )
    return { isAdd: isServers ? 0 : 1, isEdit: isServers ? 0 : 1, isHiddenKey: false } as const
  }
  // A key of one column that is also a relation, as in a table beside another, is chosen by users.
  const isGiven =
    key.length === 1 && !isRelation && (column.hasDefault || isKeyByServer(column, key))
  return isGiven
    ? ({ isAdd: 0, isEdit: 0, isHiddenKey: true } as const)
    : ({ isAdd: 1, isEdit: 2, isHiddenKey: false } as const)
}

function chooseUiType(column: InspectedColumn, { table }: Place): UiType {
  switch (familyOf(column)) {
    case 'boolean':
      return 'switch'
    case 'integer':
      return isFlag(column) ? 'switch' : 'inputNumber'
    case 'decimal':
    case 'float':
      return 'inputNumber'
    case 'date':
      return 'date'
    case 'timestamp':
    case 'instant':
      return 'datetime'
    case 'time':
      return 'time'
    case 'json':
      return 'textarea'
    case 'text':
      // In tables made for this product an unlimited text is a long one.
      return (isOwnSchema(table.schema) && column.length === null && column.type !== 'citext') ||
        isLongText(column)
        ? 'textarea'
        : 'input'
    default:
      return column.type === 'xml' ? 'textarea' : 'input'
  }
}

/** A small number that says yes or no by its name or comment. */
function isFlag({ type, name, comment }: InspectedColumn): boolean {
  return type === 'int2' && (/^(is|has|can)_/i.test(name) || comment.startsWith('是否'))
}

/** Texts and numbers with a known list of values. */
function chooseChoices(
  column: InspectedColumn,
  listed: readonly Choice[] | null,
): readonly Choice[] | null {
  if (column.choices !== undefined) return column.choices
  const family = familyOf(column)
  if (column.labels.length > 0 && family === 'other')
    return column.labels.length <= 200 && !column.type.startsWith('_')
      ? column.labels.map((id) => ({ id, name: readChoiceName(id) }))
      : null
  if (family !== 'text' && family !== 'integer' && family !== 'decimal') return null
  for (const check of column.checks) {
    const found = choicesOfCheck(check, column.name)
    // The comment may name the values of the constraint.
    if (found !== null)
      return found.map(({ id, name }) => ({
        id,
        name: listed?.find((choice) => choice.id === id)?.name ?? name,
      }))
  }
  if (listed === null || (family === 'text' && (column.length ?? 21) > 20)) return null
  const isNumeric = listed.every(({ id }) => /^-?\d+$/.test(id))
  return (family === 'text' || isNumeric) && unlistedValues(column, listed).length === 0
    ? listed
    : null
}

/** Stored values that the list in the comment of a column lacks. */
export function unlistedValues(
  { stored }: InspectedColumn,
  listed: readonly Choice[] | null,
): readonly string[] {
  if (listed === null) return []
  const known = new Set(listed.map(({ id }) => id))
  return (stored?.values ?? []).filter((value) => !known.has(value))
}

function dictionaryCode({ enumName, name }: InspectedColumn, tag: string): string {
  const source = enumName ?? `${tag}_${name}`
  return source
    .toUpperCase()
    .replace(/[^A-Z0-9_\p{Script=Han}]/gu, '_')
    .slice(0, 60)
}

const literalDefault = /^\(?'((?:[^']|'')*)'\)?(?:::[a-z_ ".]+(?:\(\d+(?:,\d+)?\))?)?$/i
const numberDefault = /^\(?'?(-?\d+(?:\.\d+)?)'?\)?(?:::[a-z ]+(?:\(\d+(?:,\d+)?\))?)?$/i

/** The database's default where it is a constant or the time, so that a form shows it. */
function defaultFrom(
  column: InspectedColumn,
  uiType: UiType,
  choices: readonly Choice[] | null,
): Partial<FieldDraft> {
  const { defaultText } = column
  if (defaultText === null) return {}
  const { family, temporal } = findKind(uiType)
  if (column.defaultIsNow === true)
    return temporal === null
      ? {}
      : { uiDefaultType: defaultTypes.context, defaultValue: 'currentTime' }
  const text =
    numberDefault.exec(defaultText)?.[1] ??
    literalDefault.exec(defaultText)?.[1]?.replaceAll("''", "'") ??
    (defaultText === 'true' ? '1' : defaultText === 'false' ? '0' : null)
  if (text === null || text === '') return {}
  const fits =
    family === 'choice'
      ? choices?.some(({ id }) => id === text) === true
      : family === 'number'
        ? /^-?\d+(\.\d+)?$/.test(text)
        : family === 'flag'
          ? ['0', '1'].includes(text)
          : family === 'text' && !['json', 'other'].includes(familyOf(column) ?? '')
  return fits ? { uiDefaultType: defaultTypes.text, defaultValue: text } : {}
}

/**
 * Columns of tables made for this product with the user and time of creation and update rarely have
 * comments: they get labels, users are shown by name, and only the time of creation is listed.
 */
function draftStamp(column: InspectedColumn, { schema }: InspectedTable): Partial<FieldDraft> {
  const name = stampNames.find((each) => each === column.name)
  if (name === undefined || !isOwnColumn(schema, name, column)) return {}
  return {
    ...(column.comment === '' && {
      uiLabel: t('zh-CN', `design.${name}`),
      options: { labelEn: t('en', `design.${name}`) },
    }),
    isList: name === 'create_time' ? 1 : 0,
    ...(name.endsWith('user') &&
      column.type === 'int8' && {
        uiType: 'select' as const,
        queryType: 'in',
        dictType: dictTypes.entity,
        dictValue: 'SYS_USER.name',
      }),
  }
}

/** A secret is stored as typed and never shown. */
function draftSecret(
  column: InspectedColumn,
  isText: boolean,
  required: boolean,
): Partial<FieldDraft> | null {
  if (!isSecret(column)) return null
  const isWritten = isText || required
  return {
    ...(isText && {
      uiType: 'password' as const,
      valids: {
        ...(required && { required: true }),
        ...(column.length !== null && { maxChars: column.length }),
      },
    }),
    // The stored secret is never answered, so a form cannot send it back: the database asks for one.
    ...(isText && { dictType: dictTypes.none, dictValue: null, options: {} }),
    uiDefaultType: defaultTypes.none,
    defaultValue: null,
    isList: 0,
    isDetail: 0,
    isExport: 0,
    isQuery: 0,
    isAdd: isWritten ? 1 : 0,
    isEdit: isWritten ? 1 : 0,
  }
}

/** Whether the column sounds like a password or token. */
export function isSecret(column: InspectedColumn): boolean {
  const isNamed = [column.name, ...column.baseNames].some((name) =>
    soundsSecret(name, column.comment),
  )
  return isNamed && !isAboutSecret(column)
}

/** Times, counts and switches of a secret tell nothing of it: `token_expires_at`. */
function isAboutSecret(column: InspectedColumn): boolean {
  const family = familyOf(column) ?? ''
  return (
    ['boolean', 'date', 'timestamp', 'instant', 'time'].includes(family) ||
    (['integer', 'decimal', 'float'].includes(family) &&
      /(seconds?|minutes?|hours?|days?|count|num|size|length|limit|expires?|ttl|version|status|type)$/i.test(
        column.name,
      ))
  )
}

/** The type for display: `varchar(64)`, `timestamptz`. */
function shortType(type: string): string {
  return type
    .replace('character varying', 'varchar')
    .replace(/^timestamp.*with time zone$/, 'timestamptz')
    .replace('timestamp without time zone', 'timestamp')
    .replace('time without time zone', 'time')
}

/** Why a column has no field, in the caller's language. */
export function leftOutReason(locale: Locale, { shownType }: InspectedColumn): string {
  return t(locale, 'adopt.noText', { type: shortType(shownType) })
}
