// Sources of choices, defaults and rules.
import { defaultConstants, defaultTypes, dictTypes, validators } from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { namingAttribute } from '@jiaowu/api/entity/definition/named-target'
import { checkField } from '../field-schema.ts'
import { type Check, eachField, error, type Fault, type Subject, warning } from './finding.ts'
import type { KnownEntity } from './context.ts'

const isChoice = ({ uiType }: Pick<FieldDefinition, 'uiType'>) =>
  findKind(uiType).family === 'choice'
const referencePattern = /^([A-Za-z][A-Za-z0-9_]{1,62})\.([A-Za-z][A-Za-z0-9_]{0,62})$/
const isBlankText = (text: string | null) => (text ?? '').trim() === ''
const isValidator = (name: string) => (validators as readonly string[]).includes(name)

const ruleChecks: readonly Check[] = [
  error(
    'entity.E020',
    eachField('valids', ({ valids }) => {
      const name = splitTypeNames(valids.type).find((word) => !isValidator(word))
      return name === undefined ? undefined : { name }
    }),
  ),
  error(
    'entity.E023',
    eachField('defaultValue', (field) => {
      const value = defaultFault(field)
      return value === undefined ? undefined : { value }
    }),
  ),
  error(
    'entity.E024',
    eachField('defaultValue', ({ uiDefaultType, defaultValue }) =>
      uiDefaultType === defaultTypes.context &&
      !isBlankText(defaultValue) &&
      !(defaultConstants as readonly string[]).includes(defaultValue ?? '')
        ? { value: defaultValue ?? '' }
        : undefined,
    ),
  ),
  error(
    'entity.E025',
    eachField('defaultValue', ({ uiDefaultType, defaultValue }) =>
      uiDefaultType !== defaultTypes.none && isBlankText(defaultValue) ? true : undefined,
    ),
  ),
  error(
    'entity.E026',
    eachField('defaultValue', (field, subject) => {
      const value = unknownItem(field, subject)
      return value === undefined ? undefined : { value }
    }),
  ),
  warning(
    'entity.E028',
    eachField('valids', ({ uiType, valids }) =>
      splitTypeNames(valids.type).some(isValidator) && !takesValidators(uiType)
        ? { kind: uiType }
        : undefined,
    ),
  ),
  error(
    'entity.E029',
    eachField('defaultValue', ({ uiDefaultType, defaultValue }, { context }) => {
      const reason =
        uiDefaultType === defaultTypes.sql && !isBlankText(defaultValue)
          ? context.refusalOfSql?.(defaultValue ?? '')
          : undefined
      return reason === undefined || reason === null ? undefined : { reason }
    }),
  ),
]
const dictionaryChecks: readonly Check[] = [
  error(
    'entity.E030',
    eachField('dictType', (field) =>
      isChoice(field) && field.dictType === dictTypes.none ? { kind: field.uiType } : undefined,
    ),
  ),
  warning(
    'entity.E031',
    eachField('dictType', (field) =>
      !isChoice(field) && hasSource(field) ? { kind: field.uiType } : undefined,
    ),
  ),
  error(
    'entity.E032',
    eachField('dictValue', ({ dictType, dictValue }, { context }) =>
      dictType === dictTypes.dictionary &&
      !isBlankText(dictValue) &&
      context.dictionary !== null &&
      context.dictionary(dictValue ?? '') === undefined
        ? { name: dictValue ?? '' }
        : undefined,
    ),
  ),
  error(
    'entity.E033',
    eachField('dictValue', (field, subject) =>
      field.dictType === dictTypes.entity &&
      !isBlankText(field.dictValue) &&
      parseReference(field) === undefined &&
      !isNamedByRow(field, subject)
        ? { value: field.dictValue ?? '' }
        : undefined,
    ),
  ),
  error(
    'entity.E034',
    eachField('dictValue', (field, subject) => {
      const reference = parseReference(field)
      return reference === undefined ||
        subject.context.entityOf === null ||
        findTargetEntity(field, subject) !== undefined
        ? undefined
        : { name: reference.tag }
    }),
  ),
  error(
    'entity.E035',
    eachField('dictValue', (field, subject) => {
      const [reference, target] = [parseReference(field), findTargetEntity(field, subject)]
      return reference === undefined ||
        target === undefined ||
        target.fields.some(({ attrName }) => attrName === reference.attrName)
        ? undefined
        : { name: `${reference.tag}.${reference.attrName}`, fitting: formatAttributeList(target) }
    }),
  ),
  error(
    'entity.E036',
    eachField('dictValue', ({ dictType, dictValue }) =>
      dictType !== dictTypes.none && isBlankText(dictValue) ? true : undefined,
    ),
  ),
  error(
    'entity.E037',
    eachField('dictValue', ({ dictType, dictValue }, { context }) => {
      const reason =
        dictType === dictTypes.sql && !isBlankText(dictValue)
          ? context.refusalOfSql?.(dictValue ?? '')
          : undefined
      return reason === undefined || reason === null ? undefined : { reason }
    }),
  ),
  warning(
    'entity.E038',
    eachField('uiType', (field, subject) => {
      const target = findTargetEntity(field, subject)
      return findKind(field.uiType).tree && target !== undefined && target.parentField === null
        ? { name: target.tag }
        : undefined
    }),
  ),
  warning(
    'entity.E039',
    eachField('dictValue', (field, { context }) =>
      [
        field.dictType === dictTypes.sql ? field.dictValue : null,
        field.uiDefaultType === defaultTypes.sql ? field.defaultValue : null,
      ].some((text) => text !== null && context.isSqlOff?.(text) === true)
        ? true
        : undefined,
    ),
  ),
]
const cascadeChecks: readonly Check[] = [
  error(
    'entity.E040',
    eachCascade((_field, { attrName }, { byName }) =>
      byName.has(attrName) ? undefined : attrName,
    ),
  ),
  error(
    'entity.E041',
    eachCascade((field, { attrName }) => (attrName === field.attrName ? attrName : undefined)),
  ),
  error('entity.E042', cycles),
  error(
    'entity.E043',
    eachCascade((field, { attrName }, { byName }) => {
      const parent = byName.get(attrName)
      return parent === undefined || (isChoice(parent) && isChoice(field))
        ? undefined
        : isChoice(field)
          ? parent.uiLabel
          : field.uiLabel
    }),
  ),
  error(
    'entity.E044',
    eachCascade((field, { filterAttr }, subject) => {
      const target = findTargetEntity(field, subject)
      if (field.dictType === dictTypes.dictionary)
        return filterAttr === 'pid' ? undefined : filterAttr
      return target === undefined ||
        target.fields.some(
          ({ attrName, columnName }) => attrName === filterAttr && columnName !== null,
        )
        ? undefined
        : filterAttr
    }),
  ),
]
export const sourceChecks: readonly Check[] = [...ruleChecks, ...dictionaryChecks, ...cascadeChecks]

function parseReference({ dictType, dictValue }: FieldDefinition) {
  const found = dictType === dictTypes.entity ? referencePattern.exec(dictValue ?? '') : null
  return found === null ? undefined : { tag: found[1] ?? '', attrName: found[2] ?? '' }
}

/** Whether another field of the row, a choice of tags, names the entity: in shipped definitions. */
function isNamedByRow(field: FieldDefinition, { definition, byName }: Subject): boolean {
  const naming = byName.get(namingAttribute(field) ?? '')
  return (
    definition.schemaName === 'sys' &&
    naming !== undefined &&
    naming !== field &&
    isChoice(naming) &&
    !findKind(naming.uiType).multiple &&
    naming.dictType === dictTypes.dictionary
  )
}

/** The entity that a field's choices come from, which can be this one. */
function findTargetEntity(
  field: FieldDefinition,
  { definition, context }: Subject,
): KnownEntity | undefined {
  const reference = parseReference(field)
  if (reference === undefined) return undefined
  return reference.tag === definition.tag ? definition : context.entityOf?.(reference.tag)
}

/** The attributes that can name a row, of which a message lists the first. */
function formatAttributeList({ fields }: KnownEntity): string {
  const names = fields.flatMap(({ attrName, uiType, columnName }) =>
    columnName !== null && holdsValue(uiType) && !findKind(uiType).secret ? [attrName] : [],
  )
  return [...names.slice(0, 8), ...(names.length > 8 ? ['…'] : [])].join(', ')
}

function hasSource({ dictType, dictValue }: FieldDefinition) {
  return dictType !== dictTypes.none && !isBlankText(dictValue)
}

function splitTypeNames(type: string | undefined) {
  return (type ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function takesValidators(uiType: FieldDefinition['uiType']) {
  return ['text', 'number'].includes(findKind(uiType).family)
}

function defaultFault(field: FieldDefinition): string | undefined {
  if (
    field.uiDefaultType !== defaultTypes.text ||
    isBlankText(field.defaultValue) ||
    !holdsValue(field.uiType)
  )
    return undefined
  const text = field.defaultValue ?? ''
  const value = findKind(field.uiType).multiple ? text.split(',').map((part) => part.trim()) : text
  return checkField(field, value).fault === null ? undefined : text
}

function unknownItem(field: FieldDefinition, { context }: Subject): string | undefined {
  if (
    field.uiDefaultType !== defaultTypes.text ||
    field.dictType !== dictTypes.dictionary ||
    isBlankText(field.defaultValue)
  )
    return undefined
  const items = context.dictionary?.(field.dictValue ?? '')
  return items === undefined
    ? undefined
    : (field.defaultValue ?? '')
        .split(',')
        .map((id) => id.trim())
        .find((id) => !items.includes(id))
}

/**
 * Fields whose cascades form a cycle, so that none of them can be chosen first. Reported once per
 * field.
 */
function cycles({ definition: { fields }, byName }: Subject): Fault[] {
  const parents = ({ options, attrName }: FieldDefinition) =>
    (options.cascades ?? []).map((cascade) => cascade.attrName).filter((name) => name !== attrName)
  const reaches = (from: FieldDefinition, wanted: string, seen: Set<string>): boolean =>
    parents(from).some((name) => {
      if (name === wanted) return true
      const next = byName.get(name)
      if (next === undefined || seen.has(name)) return false
      seen.add(name)
      return reaches(next, wanted, seen)
    })
  return fields
    .filter((field) => reaches(field, field.attrName, new Set()))
    .map(({ attrName, uiLabel }) => ({
      path: `fields.${attrName}.options.cascades`,
      attrName,
      params: { label: uiLabel },
    }))
}

function eachCascade(
  wrong: (
    field: FieldDefinition,
    cascade: { attrName: string; filterAttr: string },
    subject: Subject,
  ) => string | undefined,
) {
  return (subject: Subject): Fault[] =>
    subject.definition.fields.flatMap((field) =>
      (field.options.cascades ?? []).flatMap((cascade) => {
        const name = wrong(field, cascade, subject)
        return name === undefined
          ? []
          : [
              {
                path: `fields.${field.attrName}.options.cascades`,
                attrName: field.attrName,
                params: { label: field.uiLabel, name },
              },
            ]
      }),
    )
}
