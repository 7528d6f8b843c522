// Names that the author of a definition may use, and parts that are fixed on system tables
// (docs/rules/security.md#designers).
import { defaultTypes, dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { titleNames } from '@jiaowu/api/entity/title'
import type { NamedPart } from './context.ts'
import { formulasIn, relationsRead } from './derived.ts'
import { type Check, error, type Fault, type Subject } from './finding.ts'

export const rightChecks: readonly Check[] = [
  error('entity.E098', missingRights),
  error('entity.E059', changesOfSystemEntity),
]

interface Named {
  readonly part: NamedPart
  readonly path: string
  readonly name: string
  readonly field: FieldDefinition | null
}

function missingRights(subject: Subject): Fault[] {
  const { definition, context } = subject
  const { missingRight } = context
  if (missingRight === null) return []
  return namedParts(definition, context.before).flatMap(({ part, path, name, field }): Fault[] => {
    const right = missingRight(part)
    return right === null
      ? []
      : [
          {
            path,
            ...(field === null ? {} : { attrName: field.attrName }),
            params: { label: field?.uiLabel ?? definition.name, name, right },
          },
        ]
  })
}

/** Lists the names of the save that the definition before it did not have, or not as widely. */
function namedParts(definition: EntityDefinition, before: EntityDefinition | null): Named[] {
  const table = `${definition.schemaName}.${definition.tableName}`
  const isSameTable = before !== null && `${before.schemaName}.${before.tableName}` === table
  const known = isSameTable ? before.fields : []
  const fields = definition.fields
    .filter(({ uiType }) => holdsValue(uiType))
    .flatMap((field) => [
      ...columnPart(definition, table, field, known, before),
      ...sourceParts(field, before?.fields ?? []),
      ...formulaParts(field, definition.fields, before?.fields ?? []),
    ])
  const own = ownParts(definition, isSameTable ? before : null)
  return isSameTable
    ? [...fields, ...own]
    : [
        { part: { kind: 'table', table }, path: 'tableName', name: table, field: null },
        ...fields,
        ...own,
      ]
}

/** Fields of its own that the definition shows as labels, or lays out and orders rows by. */
function ownParts(definition: EntityDefinition, before: EntityDefinition | null): Named[] {
  const named = (entity: EntityDefinition) =>
    [
      ['tagField', entity.tagField],
      ...(['titlePattern', 'subtitlePattern'] as const).flatMap((option) =>
        titleNames(entity.options[option] ?? '').map(
          (name) => [`options.${option}`, name] as const,
        ),
      ),
      ['parentField', entity.parentField],
      ['options.serialNumField', entity.options.serialNumField],
      ...entity.options.sorts.map(({ column }) => ['options.sorts', column] as const),
    ] as const
  // Renaming an attribute renames it here too: compare columns.
  const columnOf = (entity: EntityDefinition, attrName: string | null) =>
    entity.fields.find((field) => field.attrName === attrName)?.columnName ?? attrName
  const known = new Set(
    before === null ? [] : named(before).map(([path, name]) => `${path} ${columnOf(before, name)}`),
  )
  return named(definition).flatMap(([path, attrName]): Named[] =>
    attrName === null || known.has(`${path} ${columnOf(definition, attrName)}`)
      ? []
      : [
          {
            part: { kind: 'attribute', tag: definition.tag, attrName },
            path,
            name: attrName,
            field: definition.fields.find((field) => field.attrName === attrName) ?? null,
          },
        ],
  )
}

function columnPart(
  { tag }: EntityDefinition,
  table: string,
  field: FieldDefinition,
  known: readonly FieldDefinition[],
  before: EntityDefinition | null,
): Named[] {
  const { attrName, columnName } = field
  const same = known.filter(
    (each) =>
      holdsValue(each.uiType) && each.attrName === attrName && each.columnName === columnName,
  )
  if (same.some((each) => !isWider(field, each))) return []
  const path = `fields.${attrName}.${columnName === null ? 'attrName' : 'columnName'}`
  if (columnName !== null)
    return [{ part: { kind: 'column', table, field }, path, name: columnName, field }]
  // A new custom field has no values yet, unless the entity had it on its former table.
  const hadValues = before?.fields.some(
    (each) => each.columnName === null && each.attrName === attrName && holdsValue(each.uiType),
  )
  return hadValues === true
    ? [{ part: { kind: 'custom', tag, attrName }, path, name: attrName, field }]
    : []
}

const flags = ['isList', 'isQuery', 'isDetail', 'isExport', 'isAdd', 'isEdit'] as const
/** 0 shows less than 2, and 2 less than 1. */
const width = (flag: number) => (flag === 2 ? 1 : flag === 1 ? 2 : 0)

/** Whether a field gives more of its column than before: a wider flag, or a kind that is read. */
function isWider(after: FieldDefinition, before: FieldDefinition): boolean {
  return (
    flags.some((flag) => width(after[flag]) > width(before[flag])) ||
    (findKind(before.uiType).secret && !findKind(after.uiType).secret)
  )
}

function sourceParts(field: FieldDefinition, earlier: readonly FieldDefinition[]): Named[] {
  const before =
    earlier.find(({ attrName }) => attrName === field.attrName) ??
    earlier.find(({ id, columnName }) => id === field.id && columnName === field.columnName)
  return [...choiceParts(field, before), ...defaultParts(field, before)]
}

function choiceParts(field: FieldDefinition, before: FieldDefinition | undefined): Named[] {
  const { attrName: own, dictType, dictValue, options } = field
  const isSame = before?.dictType === dictType && before.dictValue === dictValue
  if (dictType === dictTypes.sql)
    return isSame ? [] : [sqlPart(field, dictValue ?? '', `fields.${own}.dictValue`)]
  if (dictType !== dictTypes.entity) return []
  const [tag = '', shown = ''] = (dictValue ?? '').split('.')
  const attribute = (attrName: string, part: string): Named => ({
    part: { kind: 'attribute', tag, attrName },
    path: `fields.${own}.${part}`,
    name: `${tag}.${attrName}`,
    field,
  })
  const known = new Set(isSame ? listCascadeFilters(before) : [])
  return [
    ...(isSame ? [] : [attribute(shown, 'dictValue')]),
    ...listCascadeFilters({ options })
      .filter((filterAttr) => !known.has(filterAttr))
      .map((filterAttr) => attribute(filterAttr, 'options.cascades')),
  ]
}

function listCascadeFilters({ options }: Pick<FieldDefinition, 'options'>): string[] {
  return (options.cascades ?? []).map(({ filterAttr }) => filterAttr)
}

function defaultParts(field: FieldDefinition, before: FieldDefinition | undefined): Named[] {
  const { attrName, uiDefaultType, defaultValue } = field
  if (before?.uiDefaultType === uiDefaultType && before.defaultValue === defaultValue) return []
  const path = `fields.${attrName}.defaultValue`
  const text = defaultValue ?? ''
  if (uiDefaultType === defaultTypes.sql) return [sqlPart(field, text, path)]
  return uiDefaultType === defaultTypes.constant
    ? [{ part: { kind: 'parameter', code: text }, path, name: text, field }]
    : []
}

/** Lists the reads of related rows that a formula newly has. */
function formulaParts(
  field: FieldDefinition,
  fields: readonly FieldDefinition[],
  earlier: readonly FieldDefinition[],
): Named[] {
  const before = earlier.find(({ attrName }) => attrName === field.attrName)
  const known = before === undefined ? [] : formulasIn(before)
  const isKnown = (part: string) =>
    known.some(
      (formula) =>
        formula.part === part &&
        formulasIn(field).some((each) => each.part === part && each.source === formula.source),
    )
  return relationsRead(field, fields)
    .filter(({ part }) => !isKnown(part))
    .map(({ part, tag, attrName }) => ({
      part: { kind: 'attribute', tag, attrName },
      path: `fields.${field.attrName}.${part}`,
      name: `${tag}.${attrName}`,
      field,
    }))
}

function sqlPart(field: FieldDefinition, source: string, path: string): Named {
  return { part: { kind: 'sql', source }, path, name: 'SQL', field }
}

/** The properties of a field on a system table that cannot be changed. */
const fixedOfField = [
  'attrName',
  'columnName',
  'tableName',
  'uiType',
  'uiDefaultType',
  'defaultValue',
  'isExport',
  'isAdd',
  'isEdit',
  'dictType',
  'dictValue',
  'linkType',
  'linkUrl',
  'disabled',
  'derived',
  'pii',
  'valids',
] as const satisfies readonly (keyof FieldDefinition)[]
const fixedOptions = ['maxLength', 'cascades', 'precision'] as const
const fixedOfEntity = [
  'schemaName',
  'tableName',
  'idField',
  'tagField',
  'parentField',
] as const satisfies readonly (keyof EntityDefinition)[]
const fixedSerial = ['serialNumType', 'serialNumField', 'serialNumConfig', 'serialNumFast'] as const

function changesOfSystemEntity({ definition, context: { before } }: Subject): Fault[] {
  if (before === null || (before.schemaName !== 'sys' && definition.schemaName !== 'sys')) return []
  const entity = fixedOfEntity.filter((part) => differs(definition[part], before[part]))
  const serial = fixedSerial.filter((part) =>
    differs(definition.options[part], before.options[part]),
  )
  const gone = before.fields.filter(
    (field) => findPairField(definition.fields, field) === undefined,
  )
  return [
    ...entity.map((path): Fault => ({ path, params: { label: definition.name, name: path } })),
    ...serial.map((part): Fault => ({
      path: `options.${part}`,
      params: { label: definition.name, name: part },
    })),
    ...gone.map(({ attrName, uiLabel }): Fault => ({
      path: 'fields',
      params: { label: uiLabel, name: attrName },
    })),
    ...definition.fields.flatMap((field) =>
      changesOfField(field, findPairField(before.fields, field)),
    ),
  ]
}

function findPairField(
  fields: readonly FieldDefinition[],
  { attrName }: FieldDefinition,
): FieldDefinition | undefined {
  return fields.find((field) => field.attrName === attrName)
}

function changesOfField(field: FieldDefinition, before: FieldDefinition | undefined): Fault[] {
  const fault = (part: string): Fault => ({
    path: `fields.${field.attrName}.${part}`,
    attrName: field.attrName,
    params: { label: field.uiLabel, name: part },
  })
  if (before === undefined) return [fault('attrName')]
  return [
    ...fixedOfField.filter((part) => differs(field[part], before[part])).map(fault),
    ...fixedOptions
      .filter((part) => differs(field.options[part], before.options[part]))
      .map((part) => fault(`options.${part}`)),
  ]
}

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)
}
