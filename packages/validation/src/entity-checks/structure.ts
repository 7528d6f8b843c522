// Names, columns and ids: the definition against its table and itself.
import { isObjectName } from '@jiaowu/api/fields/derive'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { resolveEditing } from '@jiaowu/api/entity/config'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { hidesSecret } from '@jiaowu/api/entity/definition/secret-names'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { keptNames } from '@jiaowu/api/entity/definition/kept-fields'
import { isCarried } from '@jiaowu/api/entity/values'
import { titleNames } from '@jiaowu/api/entity/title'
import { type Check, eachField, error, type Fault, type Subject, warning } from './finding.ts'

/**
 * Words that are routes or wire keys: an entity or attribute with such a name could not be reached.
 */
const reservedTags = new Set([
  'config',
  'data',
  'page',
  'tag',
  'table',
  'design',
  'constructor',
  'prototype',
])
const reservedNames = new Set(['version', 'constructor', 'prototype'])
/**
 * Several fields can show one column, but only one can write it. Exempt are the types of columns
 * that several fields can share (docs/spec/2-student-service-and-designer.md §4, designer).
 */
const shareable = new Set(['json', 'jsonb', 'clob', 'blob', 'bytea'])

const baseType = (type: string | null) => (type ?? '').toLowerCase().split('(')[0] ?? ''

export const structureChecks: readonly Check[] = [
  error('entity.E001', ({ definition: { tag } }) =>
    reservedTags.has(tag.toLowerCase()) ? [{ path: 'tag', params: { tag } }] : [],
  ),
  error('entity.E002', ({ definition, columns }) =>
    columns === undefined
      ? [
          {
            path: 'tableName',
            params: { table: `${definition.schemaName}.${definition.tableName}` },
          },
        ]
      : [],
  ),
  error(
    'entity.E003',
    eachField('columnName', (field, { columns, columnOf }) =>
      columns === null ||
      columns === undefined ||
      field.columnName === null ||
      !holdsValue(field.uiType) ||
      columnOf(field) !== undefined
        ? undefined
        : { name: field.columnName },
    ),
  ),
  error(
    'entity.E004',
    duplicates(
      'attrName',
      ({ attrName }) => attrName.toLowerCase(),
      ({ attrName }) => attrName,
    ),
  ),
  error(
    'entity.E005',
    duplicates(
      'columnName',
      ({ columnName, columnType, isAdd, isEdit }) =>
        columnName === null || shareable.has(baseType(columnType)) || (isAdd !== 1 && isEdit !== 1)
          ? null
          : columnName,
      ({ columnName }) => columnName ?? '',
    ),
  ),
  error('entity.E006', (subject) =>
    subject.definition.idField === 'id' &&
    (subject.columns === null ||
      subject.columns?.some(({ name }) => name === 'id') === true ||
      !isKeyAField(subject))
      ? []
      : checkNamedField('idField', subject.definition.idField)(subject),
  ),
  error('entity.E007', ({ definition, columns, byName, columnOf }) => {
    const field = byName.get(definition.idField)
    if (field === undefined || columns === null || columns === undefined) return []
    const column = columnOf(field)
    if (!columns.some(({ isPrimary, isKey }) => isPrimary || isKey)) return []
    return column?.isPrimary === true || column?.isKey === true
      ? []
      : [{ path: 'idField', attrName: field.attrName, params: { name: field.attrName } }]
  }),
  warning('entity.E099', ({ definition, columns }) =>
    columns === null ||
    columns === undefined ||
    columns.some(({ isPrimary, isKey }) => isPrimary || isKey)
      ? []
      : [
          {
            path: 'tableName',
            params: { table: `${definition.schemaName}.${definition.tableName}` },
          },
        ],
  ),
  warning('entity.E117', ({ definition, columns }) => {
    const key = (columns ?? []).filter(({ isPrimary }) => isPrimary)
    const school = key.find(({ name }) => name === 'tenant_id')
    return school === undefined ||
      key.length === 1 ||
      school.isServers === true ||
      !['int4', 'int8'].includes(school.type)
      ? []
      : [
          {
            path: 'options.systemColumns',
            params: { table: `${definition.schemaName}.${definition.tableName}` },
          },
        ]
  }),
  error('entity.E008', (subject) =>
    checkNamedField('tagField', subject.definition.tagField)(subject),
  ),
  error('entity.E054', ({ definition: { options, schemaName }, byName }) =>
    keptNames(options.kept ?? {})
      .filter((name) => {
        const field = byName.get(name)
        return schemaName === 'sys' || !field?.columnName || hidesSecret(field) || field.isPk === 1
      })
      .map((name) => ({ path: 'options.kept', params: { name } })),
  ),
  error('entity.E079', ({ definition: { options }, byName }) =>
    (['titlePattern', 'subtitlePattern'] as const).flatMap((option) =>
      titleNames(options[option] ?? '')
        .filter((name) => !isTitlePart(byName.get(name)))
        .map((name) => ({ path: `options.${option}`, params: { name } })),
    ),
  ),
  error('entity.E009', (subject) =>
    checkNamedField('parentField', subject.definition.parentField)(subject),
  ),
  warning('entity.E010', ({ definition: { fields } }) =>
    fields.some(({ isList, uiType }) => isList === 1 && holdsValue(uiType))
      ? []
      : [{ path: 'fields' }],
  ),
  error(
    'entity.E011',
    eachField('tableName', ({ tableName, columnName }, { definition }) =>
      columnName === null || tableName === null || tableName === definition.tableName
        ? undefined
        : { name: tableName },
    ),
  ),
  error(
    'entity.E014',
    eachField('attrName', ({ attrName, uiType }) =>
      holdsValue(uiType) && reservedNames.has(attrName) ? { name: attrName } : undefined,
    ),
  ),
  error(
    'entity.E015',
    eachField('uiLabel', ({ uiLabel, uiType }) =>
      findKind(uiType).layout !== 'divider' && uiLabel.trim() === '' ? { name: '' } : undefined,
    ),
  ),
  warning(
    'entity.E016',
    duplicates(
      'uiLabel',
      ({ uiLabel, uiType, isAdd, isExport }) =>
        holdsValue(uiType) && (isAdd === 1 || isExport === 1) ? uiLabel.trim() : null,
      ({ uiLabel }) => uiLabel,
    ),
  ),
  error(
    'entity.E017',
    duplicates(
      'id',
      ({ id }) => id,
      ({ id }) => id,
    ),
  ),
  warning(
    'entity.E018',
    eachField('isList', (field, { definition }) => {
      const used =
        field.isList === 1 ||
        field.isDetail === 1 ||
        field.isQuery === 1 ||
        field.isExport === 1 ||
        field.isAdd > 0 ||
        field.isEdit > 0
      return used || field.attrName === definition.idField || !holdsValue(field.uiType)
        ? undefined
        : true
    }),
  ),
  // Forms send record metadata under these names, so values of such fields would be lost silently.
  error(
    'entity.E019',
    eachField('attrName', (field, { definition }) => {
      const { attrName } = field
      if (isObjectName(attrName)) return { name: attrName }
      if (
        !holdsValue(field.uiType) ||
        !isCarried(attrName) ||
        reservedNames.has(attrName) ||
        attrName === definition.idField
      )
        return undefined
      return resolveEditing(field, 'add') === 'editable' ||
        resolveEditing(field, 'edit') === 'editable'
        ? { name: attrName }
        : undefined
    }),
  ),
]

function duplicates(
  part: keyof FieldDefinition,
  keyOf: (field: FieldDefinition) => string | null,
  shown: (field: FieldDefinition) => string,
) {
  return ({ definition }: Subject): Fault[] =>
    doubles(definition.fields, keyOf).map((field) => ({
      path: `fields.${field.attrName}.${part}`,
      attrName: field.attrName,
      params: { label: field.uiLabel, name: shown(field) },
    }))
}

function doubles(
  fields: readonly FieldDefinition[],
  keyOf: (field: FieldDefinition) => string | null,
): FieldDefinition[] {
  const seen = new Set<string>()
  return fields.filter((field) => {
    const key = keyOf(field)
    if (key === null) return false
    const again = seen.has(key)
    seen.add(key)
    return again
  })
}

function checkNamedField(path: string, name: string | null) {
  return ({ definition }: Subject): Fault[] =>
    name === null || definition.fields.some(({ attrName }) => attrName === name)
      ? []
      : [{ path, params: { name } }]
}

/**
 * A key of several columns, or none, is no field, nor is one of a type without a text form. A password
 * names no row.
 */
function isKeyAField({ definition, columns }: Subject): boolean {
  const primary = (columns ?? []).filter(({ isPrimary }) => isPrimary)
  return (
    primary.length === 1 &&
    definition.fields.some((field) => field.columnName === primary[0]?.name && !hidesSecret(field))
  )
}

/** A plain value of a column, or a choice with a name: one record, or one item of a dictionary. */
function isTitlePart(field: FieldDefinition | undefined): boolean {
  if (field === undefined || field.columnName === null) return false
  const { family, markup, temporal, multiple } = findKind(field.uiType)
  if (family === 'choice')
    return (
      !multiple &&
      field.dictValue !== null &&
      (field.dictType === dictTypes.entity || field.dictType === dictTypes.dictionary)
    )
  return (family === 'text' && !markup) || family === 'number' || temporal !== null
}
