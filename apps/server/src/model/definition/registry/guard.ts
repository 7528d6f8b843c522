// Limits of a stored definition, checked when it is loaded as well as when it is saved: the
// database may hold one from an earlier version, a restored backup or an intruder
// (docs/rules/security.md#secrets).
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { titleNames } from '@jiaowu/api/entity/title'
import { accountPassword } from '../account-password.ts'
import { isSecretColumn } from '../../../platform/database/tables/secret-columns.ts'
import { builtIn } from '../../shipped/index.ts'

/** Reports a part that was left out: `attrName` null for the whole definition. */
export type OnLeftOut = (part: {
  readonly attrName: string | null
  readonly reason: 'secret' | 'system'
}) => void

const shippedByTag = new Map(builtIn.map((definition) => [definition.tag, definition]))

/**
 * The part of a stored definition that may be used: without fields on secret columns, and on a
 * system table only with what the shipped definition has. Null when nothing may.
 */
export function guardDefinition(
  definition: EntityDefinition,
  onLeftOut: OnLeftOut,
): EntityDefinition | null {
  const allowed = withoutSecrets(onSystemTable(definition, onLeftOut), onLeftOut)
  if (allowed === null) onLeftOut({ attrName: null, reason: 'system' })
  return allowed
}

/** The one secret column that a field may name, because its kind is written and never read. */
function isPasswordOfAccounts(
  { schemaName, tableName }: Pick<EntityDefinition, 'schemaName' | 'tableName'>,
  { columnName, uiType }: Pick<FieldDefinition, 'columnName' | 'uiType'>,
): boolean {
  return (
    schemaName === accountPassword.schema &&
    tableName === accountPassword.table &&
    columnName === accountPassword.column &&
    findKind(uiType).secret
  )
}

function withoutSecrets(
  definition: EntityDefinition | null,
  onLeftOut: OnLeftOut,
): EntityDefinition | null {
  if (definition === null) return null
  const table = `${definition.schemaName}.${definition.tableName}`
  const secret = definition.fields.filter(
    (field) =>
      field.columnName !== null &&
      isSecretColumn(table, field.columnName) &&
      !isPasswordOfAccounts(definition, field),
  )
  for (const { attrName } of secret) onLeftOut({ attrName, reason: 'secret' })
  const hidden = new Set([
    ...secret.map(({ attrName }) => attrName),
    ...definition.fields
      .filter(({ uiType }) => findKind(uiType).secret)
      .map(({ attrName }) => attrName),
  ])
  if (hidden.has(definition.idField)) return null
  const shown = (attrName: string | null) =>
    attrName === null || hidden.has(attrName) ? null : attrName
  const { titlePattern, subtitlePattern, ...options } = definition.options
  const isOpen = (pattern: string | undefined) =>
    pattern !== undefined && !titleNames(pattern).some((name) => hidden.has(name))
  return hidden.size === 0
    ? definition
    : {
        ...definition,
        tagField: shown(definition.tagField),
        parentField: shown(definition.parentField),
        options: {
          ...options,
          ...(isOpen(titlePattern) && { titlePattern }),
          ...(isOpen(subtitlePattern) && { subtitlePattern }),
          serialNumField: shown(options.serialNumField),
          sorts: options.sorts.filter(({ column }) => !hidden.has(column)),
        },
        fields: definition.fields.filter((field) => !secret.includes(field)),
      }
}

/**
 * A definition on a system table keeps its labels, order, widths, list, query and detail flags and
 * buttons; everything else is that of the shipped definition. Custom fields and sections that
 * earlier versions allowed stay.
 */
function onSystemTable(
  definition: EntityDefinition,
  onLeftOut: OnLeftOut,
): EntityDefinition | null {
  const shipped = shippedByTag.get(definition.tag)
  if (definition.schemaName !== 'sys') return shipped?.schemaName === 'sys' ? null : definition
  if (shipped?.schemaName !== 'sys' || shipped.tableName !== definition.tableName) return null
  const fields = definition.fields.flatMap((field): FieldDefinition[] => {
    const original = findOriginal(shipped, field)
    if (original !== undefined) return [restoreGuarded(original, field)]
    if (!holdsValue(field.uiType) || field.columnName === null) return [field]
    onLeftOut({ attrName: field.attrName, reason: 'system' })
    return []
  })
  const names = new Set(fields.map(({ attrName }) => attrName))
  const { selection, operColumnShow, singleSelect, multiSelect, openType, sorts } =
    definition.options
  return {
    ...shipped,
    name: definition.name,
    ...(definition.nameEn !== undefined && { nameEn: definition.nameEn }),
    buttons: definition.buttons,
    options: {
      ...shipped.options,
      selection,
      operColumnShow,
      singleSelect,
      multiSelect,
      openType,
      sorts: sorts.filter(({ column }) => names.has(column) || column === shipped.idField),
    },
    fields,
  }
}

function findOriginal(
  { fields }: EntityDefinition,
  { attrName, columnName, uiType }: FieldDefinition,
): FieldDefinition | undefined {
  const isNamed = (field: FieldDefinition) => field.attrName === attrName
  if (!holdsValue(uiType) || columnName === null)
    return fields.find((field) => field.columnName === null && isNamed(field))
  // A second field may show the same column, as the description of a parameter shows its code.
  const onColumn = fields.filter((field) => field.columnName === columnName)
  return onColumn.find(isNamed) ?? onColumn[0]
}

function restoreGuarded(original: FieldDefinition, field: FieldDefinition): FieldDefinition {
  const { labelEn, placeholder, help, synonyms, column } = field.options
  const isSecret = findKind(original.uiType).secret
  return {
    ...original,
    uiLabel: field.uiLabel,
    uiWidth: field.uiWidth,
    uiSort: field.uiSort,
    isList: isSecret ? 0 : field.isList,
    isQuery: isSecret ? 0 : field.isQuery,
    isDetail: isSecret ? 0 : field.isDetail,
    queryType: field.queryType,
    pii: field.pii ?? original.pii,
    options: {
      ...original.options,
      ...(labelEn !== undefined && { labelEn }),
      ...(placeholder !== undefined && { placeholder }),
      ...(help !== undefined && { help }),
      ...(synonyms !== undefined && { synonyms }),
      ...(column !== undefined && { column }),
    },
    comments: field.comments,
  }
}
