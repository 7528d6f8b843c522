// Fields against their columns and kinds: types, lengths, flags, operators, sorts.
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, isFilterable, findKind } from '@jiaowu/api/fields/kinds'
import { keptNames } from '@jiaowu/api/entity/definition/kept-fields'
import { toQueryOperator, queryOperators } from '@jiaowu/api/entity/enums'
import { type Check, eachField, error, type Fault, type Subject, warning } from './finding.ts'
import type { KnownColumn } from './context.ts'

const numbers = new Set(['int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'money'])
const texts = new Set(['varchar', 'text', 'bpchar', 'citext'])
const structured = new Set(['json', 'jsonb'])

/** Types of keys that the server gives new rows. */
const keysOfServer = new Set(['int8', 'numeric', 'uuid'])

const readMaxLength = ({ valids, options }: FieldDefinition) =>
  options.maxLength ?? valids.maxLength

export const fittingChecks: readonly Check[] = [
  error(
    'entity.E012',
    eachField('uiType', (field, { columnOf }) => {
      const column = columnOf(field)
      return column === undefined ||
        !holdsValue(field.uiType) ||
        columnFitsKind(field, column) ||
        field.isPk === 1
        ? undefined
        : { kind: field.uiType, type: column.type }
    }),
  ),
  warning(
    'entity.E013',
    eachField('valids', (field, { columnOf }) => {
      const [most, length] = [readMaxLength(field), columnOf(field)?.length ?? null]
      return most === undefined || length === null || most <= length ? undefined : { most, length }
    }),
  ),
  error(
    'entity.E021',
    eachField('isAdd', (field, subject) =>
      field.valids.required === true &&
      field.isAdd !== 1 &&
      !isFilledByServer(field, subject) &&
      subject.definition.fields.some(({ isAdd }) => isAdd === 1)
        ? true
        : undefined,
    ),
  ),
  error(
    'entity.E022',
    eachField('isNull', (field, subject) => {
      const column = subject.columnOf(field)
      const mustHave = column !== undefined && !column.nullable && !column.hasDefault
      return mustHave &&
        !subject.definition.fields.some(
          ({ columnName, isAdd }) => isAdd === 1 && columnName === field.columnName,
        ) &&
        !isFilledByServer(field, subject) &&
        subject.definition.fields.some(({ isAdd }) => isAdd === 1)
        ? { name: column.name }
        : undefined
    }),
  ),
  warning('entity.E072', ({ definition, columns }) => {
    const filled = new Set(definition.fields.map(({ columnName }) => columnName))
    return definition.fields.some(({ isAdd }) => isAdd === 1)
      ? (columns ?? [])
          .filter(
            ({ name, nullable, hasDefault, isPrimary, isServers }) =>
              !nullable && !hasDefault && !isPrimary && isServers !== true && !filled.has(name),
          )
          .map(({ name }) => ({ path: 'fields', params: { name } }))
      : []
  }),
  warning(
    'entity.E027',
    eachField('options', ({ options, valids }) =>
      options.maxLength === undefined ||
      valids.maxLength === undefined ||
      options.maxLength === valids.maxLength
        ? undefined
        : { most: options.maxLength, other: valids.maxLength },
    ),
  ),
  error(
    'entity.E050',
    eachField('queryType', ({ isQuery, queryType, uiType }) => {
      if (isQuery !== 1 || !holdsValue(uiType) || !wordIsKnown(queryType)) return undefined
      const { operators } = findKind(uiType)
      return operators.length === 0 || operators.includes(toQueryOperator(queryType))
        ? undefined
        : { operator: queryType, kind: uiType, fitting: operators.join(', ') }
    }),
  ),
  error(
    'entity.E051',
    eachField('isQuery', ({ isQuery, uiType }) =>
      isQuery === 1 && holdsValue(uiType) && !isFilterable(findKind(uiType))
        ? { kind: uiType }
        : undefined,
    ),
  ),
  error('entity.E052', unsortable),
  warning(
    'entity.E068',
    eachField('queryType', ({ isQuery, columnName, queryType }, { context }) => {
      const statement =
        isQuery === 1 && columnName !== null
          ? context.missingIndex?.(columnName, queryType)
          : undefined
      return statement === undefined || statement === null ? undefined : { statement }
    }),
  ),
  warning('entity.E069', ({ definition, byName, context }) =>
    // Only the first sort needs an index: the others order rows that agree in it.
    definition.options.sorts.slice(0, 1).flatMap(({ column }) => {
      const { columnName = null, uiLabel = column } = byName.get(column) ?? {}
      const statement = columnName === null ? null : context.missingIndex?.(columnName, 'order')
      return statement === undefined || statement === null
        ? []
        : [{ path: 'options.sorts', params: { label: uiLabel, statement } }]
    }),
  ),
  error(
    'entity.E053',
    eachField('queryType', ({ queryType }) =>
      wordIsKnown(queryType) ? undefined : { operator: queryType },
    ),
  ),
  error(
    'entity.E055',
    eachField('isList', ({ uiType, isList, isExport, isDetail }) =>
      findKind(uiType).secret && (isList === 1 || isExport === 1 || isDetail === 1)
        ? true
        : undefined,
    ),
  ),
  error('entity.E070', ({ definition: { options } }) =>
    options.singleSelect && options.multiSelect ? [{ path: 'options.singleSelect' }] : [],
  ),
  warning('entity.E071', ({ definition: { options } }) =>
    !options.selection && options.singleSelect ? [{ path: 'options.selection' }] : [],
  ),
  warning('entity.E095', ({ definition: { fields } }) => {
    const shown = fields.toSorted((a, b) => a.uiSort - b.uiSort)
    return shown.flatMap((field, index) =>
      opensGroup(field) && (shown[index + 1] === undefined || opensGroup(shown[index + 1]))
        ? [
            {
              path: `fields.${field.attrName}`,
              attrName: field.attrName,
              params: { label: field.uiLabel },
            },
          ]
        : [],
    )
  }),
  warning(
    'entity.E096',
    eachField('uiWidth', (field) =>
      opensGroup(field) && field.uiWidth !== 100 ? { width: field.uiWidth } : undefined,
    ),
  ),
  error(
    'entity.E097',
    eachField('uiWidth', ({ uiWidth }) =>
      uiWidth > 0 && uiWidth <= 100 ? undefined : { width: uiWidth },
    ),
  ),
]

function opensGroup(field: FieldDefinition | undefined): boolean {
  return field !== undefined && findKind(field.uiType).layout === 'group'
}

/** Types with controls of their own; a text field may show any other in its text form. */
const plain = new Set([...numbers, 'bool', 'date', 'timestamp', 'timestamptz', 'time'])

/**
 * Whether a column can hold values of the kind. Text columns can hold every kind with a text form.
 */
function columnFitsKind({ uiType }: FieldDefinition, { type }: KnownColumn): boolean {
  const { family, multiple, temporal } = findKind(uiType)
  if (texts.has(type) || structured.has(type)) return true
  if (family === 'text') return !plain.has(type)
  if (family === 'number') return numbers.has(type)
  if (temporal !== null) return temporal.columnTypes.includes(type)
  if (family === 'flag') return type === 'bool' || numbers.has(type)
  // One choice may be stored in any type that a text field can show, such as an enum.
  return type.startsWith('_') || (!multiple && (numbers.has(type) || !plain.has(type)))
}

function isFilledByServer(
  field: FieldDefinition,
  { definition: { options, idField }, columnOf, columns }: Subject,
) {
  const column = columnOf(field)
  const isOnlyKey =
    column?.isPrimary === true && columns?.filter(({ isPrimary }) => isPrimary).length === 1
  return (
    ((field.attrName === idField || isOnlyKey) && keysOfServer.has(column?.type ?? 'int8')) ||
    (options.serialNumType !== null && options.serialNumField === field.attrName) ||
    keptNames(options.kept ?? {}).includes(field.attrName) ||
    // New rows begin in the first state.
    options.flow?.field === field.attrName ||
    (field.uiDefaultType !== -1 && (field.defaultValue ?? '') !== '')
  )
}

function wordIsKnown(word: string) {
  return word.endsWith('_range') || (queryOperators as readonly string[]).includes(word)
}

function unsortable({ definition, byName }: Subject): Fault[] {
  return definition.options.sorts.flatMap(({ column }) => {
    const field = byName.get(column)
    const sorts =
      column === definition.idField ||
      (field !== undefined &&
        field.columnName !== null &&
        field.isList === 1 &&
        holdsValue(field.uiType))
    return sorts ? [] : [{ path: 'options.sorts', params: { name: column } }]
  })
}
