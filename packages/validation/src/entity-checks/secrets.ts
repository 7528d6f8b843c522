// Secret columns, and fields of kind password, whose values no call answers
// (docs/rules/security.md#secrets).
import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { soundsSecret, toSnakeCase } from '@jiaowu/api/entity/definition/secret-names'
import { titleNames } from '@jiaowu/api/entity/title'
import { ExpressionError } from '../expression/ast.ts'
import { listRowNames } from '../expression/names.ts'
import { parseExpression } from '../expression/parse.ts'
import { type Check, eachField, error, type Fault, type Subject, warning } from './finding.ts'

/** The password of accounts: written as a hash by the account calls, never read. */
const passwords = new Set(['sys.app_user.password_hash'])

export const secretChecks: readonly Check[] = [
  error(
    'entity.E056',
    eachField('columnName', (field, { definition: { schemaName, tableName }, context }) => {
      const { columnName, uiType } = field
      const table = `${schemaName}.${tableName}`
      return columnName === null ||
        context.isSecret?.(table, columnName) !== true ||
        (passwords.has(`${table}.${columnName}`) && findKind(uiType).secret)
        ? undefined
        : { name: columnName }
    }),
  ),
  warning(
    'entity.E057',
    eachField('uiType', (field) =>
      field.columnName !== null &&
      holdsValue(field.uiType) &&
      !findKind(field.uiType).secret &&
      isShown(field) &&
      soundsSecret(field.columnName, field.columnComment)
        ? { name: field.columnName }
        : undefined,
    ),
  ),
  error('entity.E058', namesOfSecrets),
  error(
    'entity.E118',
    eachField('columnName', (field, { definition: { schemaName, tableName }, context }) => {
      const { columnName, uiType } = field
      const table = `${schemaName}.${tableName}`
      const reason =
        columnName === null || !holdsValue(uiType)
          ? null
          : (context.refusedColumn?.(table, columnName) ?? null)
      return reason === null ? undefined : { name: columnName ?? '', table, reason }
    }),
  ),
  error('entity.E119', ({ definition: { schemaName, tableName }, context }) => {
    const table = `${schemaName}.${tableName}`
    const reason = context.refusedRows?.(table) ?? null
    return reason === null ? [] : [{ path: 'tableName', params: { table, reason } }]
  }),
  warning('entity.E115', birthDatesBesideIdNumbers),
]

const birthNames = /(^|_)(birth|birthday|birthdate|birth_date|born|dob|csrq|csny)(_|$)/i

/** Eight digits of an ID number are the birth date, which no mask hides while a column shows it. */
function birthDatesBesideIdNumbers({ definition: { fields } }: Subject): Fault[] {
  const idNumber = fields.find(({ pii }) => pii === 'idCard')
  if (idNumber === undefined) return []
  return fields
    .filter(
      (field) =>
        findKind(field.uiType).temporal !== null &&
        field.pii === null &&
        isShown(field) &&
        (birthNames.test(toSnakeCase(field.columnName ?? field.attrName)) ||
          /出生|生日/.test(field.uiLabel)),
    )
    .map(({ attrName, uiLabel }) => ({
      path: `fields.${attrName}.isList`,
      attrName,
      params: { label: uiLabel, name: idNumber.uiLabel },
    }))
}

function isShown(field: FieldDefinition): boolean {
  return [field.isList, field.isDetail, field.isExport, field.isQuery].includes(1)
}

/** Every property that would show, sort, search or compare the values of a password field. */
function namesOfSecrets(subject: Subject): Fault[] {
  const { definition, byName, context } = subject
  const isOwnSecret = (attrName: string | null) => {
    const field = attrName === null ? undefined : byName.get(attrName)
    return field !== undefined && findKind(field.uiType).secret
  }
  const own = (
    [
      ['idField', definition.idField],
      ['tagField', definition.tagField],
      ...(['titlePattern', 'subtitlePattern'] as const).flatMap((option) =>
        titleNames(definition.options[option] ?? '').map(
          (name) => [`options.${option}`, name] as const,
        ),
      ),
      ['parentField', definition.parentField],
      ['options.serialNumField', definition.options.serialNumField],
      ...definition.options.sorts.map(({ column }) => ['options.sorts', column] as const),
    ] as const
  ).flatMap(([path, name]): Fault[] =>
    name !== null && isOwnSecret(name)
      ? [{ path, params: { label: byName.get(name)?.uiLabel ?? name, name } }]
      : [],
  )
  const isSecretOf = (tag: string, attrName: string) => {
    const target = tag === definition.tag ? definition : context.entityOf?.(tag)
    const field = target?.fields.find((each) => each.attrName === attrName)
    return field !== undefined && findKind(field.uiType).secret
  }
  const fields = definition.fields.flatMap((field): Fault[] => {
    const [tag = '', attrName = ''] =
      field.dictType === dictTypes.entity ? (field.dictValue ?? '').split('.') : []
    const fault = (part: string, name: string): Fault => ({
      path: `fields.${field.attrName}.${part}`,
      attrName: field.attrName,
      params: { label: field.uiLabel, name },
    })
    return [
      ...(isSecretOf(tag, attrName) ? [fault('dictValue', `${tag}.${attrName}`)] : []),
      ...(field.options.cascades ?? []).flatMap(({ filterAttr }) =>
        isSecretOf(tag, filterAttr) ? [fault('options.cascades', `${tag}.${filterAttr}`)] : [],
      ),
      ...(findKind(field.uiType).secret && field.dictType !== dictTypes.none
        ? [fault('dictType', field.attrName)]
        : []),
      ...listPlaceholders(field.linkUrl ?? '')
        .filter(isOwnSecret)
        .map((name) => fault('linkUrl', name)),
    ]
  })
  return [...own, ...fields, ...buttonsWithSecrets(subject, isOwnSecret, isSecretOf)]
}

/** Conditions, placeholders and values of buttons that read or write a password. */
function buttonsWithSecrets(
  { definition }: Subject,
  isOwnSecret: (attrName: string | null) => boolean,
  isSecretOf: (tag: string, attrName: string) => boolean,
): Fault[] {
  return definition.buttons.flatMap((button) => {
    const fault = (part: string, name: string): Fault => ({
      path: `buttons.${button.code}.${part}`,
      params: { label: button.name, name },
    })
    const conditions = namesInCondition(button.positionExp).filter(isOwnSecret)
    const contents = listWrittenActions(button).flatMap((action) => [
      ...(action.do === 'setField' ? [action.attrName].filter(isOwnSecret) : []),
      ...(action.do === 'request'
        ? Object.keys(action.values ?? {}).filter((name) => isSecretOf(action.tag, name))
        : []),
      ...listPlaceholders(JSON.stringify(action)).filter(isOwnSecret),
    ])
    return [
      ...conditions.map((name) => fault('positionExp', name)),
      ...contents.map((name) => fault('eventContent', name)),
    ]
  })
}

function listWrittenActions({ eventContent }: Button): readonly ButtonAction[] {
  return Array.isArray(eventContent) ? eventContent : []
}

function listPlaceholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** None for a condition that does not parse, which another check reports. */
function namesInCondition(source: string | null): readonly string[] {
  try {
    return source === null || source.trim() === '' ? [] : listRowNames(parseExpression(source))
  } catch (error) {
    if (error instanceof ExpressionError) return []
    throw error
  }
}
