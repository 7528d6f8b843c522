// Formulas of derived fields and of bounds (docs/rules/contract.md#derived-fields, #rules-of-values).
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { TextParams } from '@jiaowu/api/texts/index'
import { boundNames, boundSource } from '../bounds/bounds.ts'
import { type Expression, ExpressionError } from '../expression/ast.ts'
import { listRelationReads, listRowNames, findUnknownRoot } from '../expression/names.ts'
import { parseFormula } from '../expression/parse.ts'
import {
  type FormulaType,
  type FormulaTypes,
  isFitting,
  typeOfFormula,
  typeOfKind,
} from '../derived/types.ts'
import type { KnownEntity } from './context.ts'
import { type Check, eachField, error, type Subject } from './finding.ts'

const path = 'derived'
const ownRoot: ReadonlySet<string> = new Set(['row'])

export const derivedChecks: readonly Check[] = [
  error(
    'entity.E073',
    eachFormula(({ source }) => {
      const fault = findFormulaFault(source)
      return fault === null ? undefined : { value: fault.at + 1 }
    }),
  ),
  error(
    'entity.E074',
    eachFormula((formula, subject) => {
      const name = withAst(formula, (ast) => unknownName(ast, subject))
      return name === undefined ? undefined : { name }
    }),
  ),
  error(
    'entity.E075',
    eachField(path, (field, subject) => (isCyclic(field, subject) ? true : undefined)),
  ),
  error(
    'entity.E076',
    eachFormula((formula, subject) =>
      withAst(formula, (ast) => {
        const { field, part } = formula
        if (unknownName(ast, subject) !== undefined) return undefined
        if (part === path && !isComputable(field, subject)) return undefined
        const { type, fault } = typeOfFormula(ast, typesIn(subject))
        if (fault !== null) return { name: fault.name, kind: fault.type }
        const kind = findKind(part === path ? field.uiType : 'inputNumber')
        return isFitting(type, kind) ? undefined : { name: '=', kind: type }
      }),
    ),
  ),
  error(
    'entity.E077',
    eachFormula((formula, subject) => {
      const name = withAst(formula, (ast) => closedName(ast, subject))
      return name === undefined ? undefined : { name }
    }),
  ),
  error(
    'entity.E078',
    eachField(path, (field, subject) =>
      isDerived(field) && !isComputable(field, subject) ? { kind: field.uiType } : undefined,
    ),
  ),
  error(
    'entity.E116',
    eachField(path, (field, { definition, context }) => {
      const { columnName } = field
      if (!isDerived(field) || columnName === null) return undefined
      const own = formulaByColumns(field, definition.fields)
      const other = context.formulasElsewhere?.(columnName).find(({ formula }) => formula !== own)
      return other === undefined ? undefined : { other: other.tag, name: columnName }
    }),
  ),
]

/** The formula of a field with columns in place of attributes: the same through every entity of a table. */
export function formulaByColumns(
  { derived }: Pick<FieldDefinition, 'derived'>,
  fields: readonly Pick<FieldDefinition, 'attrName' | 'columnName'>[],
): string {
  const columns = new Map(fields.map(({ attrName, columnName }) => [attrName, columnName]))
  return (derived ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\brow\.(\w+)/g, (_, name: string) => `row.${columns.get(name) ?? name}`)
}

/** A formula of a field: of its value, or of one of its bounds. */
interface FieldFormula {
  readonly field: FieldDefinition
  /** The part of the field that holds it: `derived`, `valids.max`. */
  readonly part: string
  readonly source: string
}

export function formulasIn(field: FieldDefinition): readonly FieldFormula[] {
  const bounds = boundNames.map((name) => [`valids.${name}`, boundSource(field.valids[name])])
  return [[path, field.derived], ...bounds].flatMap(([part, source]) =>
    typeof part !== 'string' || typeof source !== 'string' || source.trim() === ''
      ? []
      : [{ field, part, source }],
  )
}

/** Runs a check on each formula of each field. */
function eachFormula(
  wrong: (formula: FieldFormula, subject: Subject) => TextParams | undefined,
): Check['find'] {
  return (subject) =>
    subject.definition.fields.flatMap(formulasIn).flatMap((formula) => {
      const { field, part } = formula
      const found = wrong(formula, subject)
      return found === undefined
        ? []
        : [
            {
              path: `fields.${field.attrName}.${part}`,
              attrName: field.attrName,
              params: { label: field.uiLabel, ...found },
            },
          ]
    })
}

/** Lists the reads of other entities in formulas, for the check of the author's rights. */
export function relationsRead(
  field: FieldDefinition,
  fields: readonly FieldDefinition[],
): readonly { readonly part: string; readonly tag: string; readonly attrName: string }[] {
  return formulasIn(field).flatMap(
    (formula) =>
      withAst(formula, (ast) =>
        listRelationReads(ast).flatMap(({ attrName, property }) => {
          const tag = readRelatedTag(fields.find((each) => each.attrName === attrName))
          return tag === null ? [] : [{ part: formula.part, tag, attrName: property }]
        }),
      ) ?? [],
  )
}

function findFormulaFault(formula: string): ExpressionError | null {
  try {
    parseFormula(formula)
    return null
  } catch (fault) {
    if (fault instanceof ExpressionError) return fault
    throw fault
  }
}

/** Nothing for a formula that does not parse. */
function withAst<T>(
  { source }: Pick<FieldFormula, 'source'>,
  use: (ast: Expression) => T,
): T | undefined {
  return findFormulaFault(source) === null ? use(parseFormula(source)) : undefined
}

function readRelatedTag(field: FieldDefinition | undefined): string | null {
  return field?.dictType === dictTypes.entity && !findKind(field.uiType).multiple
    ? ((field.dictValue ?? '').split('.')[0] ?? null)
    : null
}

type Related = KnownEntity['fields'][number]

/** The attribute of a related entity; null when it does not exist, undefined when that is unknown. */
function findRelated(
  { context, byName, definition }: Subject,
  attrName: string,
  property: string,
): Related | null | undefined {
  const tag = readRelatedTag(byName.get(attrName))
  if (tag === null) return null
  if (tag !== definition.tag && context.entityOf === null) return undefined
  const target = tag === definition.tag ? definition : context.entityOf?.(tag)
  return target?.fields.find((each) => each.attrName === property) ?? null
}

function unknownName(ast: Expression, subject: Subject): string | undefined {
  const own = listRowNames(ast).find((name) => !holdsReadable(subject.byName.get(name)))
  const relation = listRelationReads(ast).find(
    ({ attrName, property }) => findRelated(subject, attrName, property) === null,
  )
  return (
    findUnknownRoot(ast, ownRoot) ??
    own ??
    (relation === undefined ? undefined : `${relation.attrName}.${relation.property}`)
  )
}

function holdsReadable(field: FieldDefinition | undefined): boolean {
  return field !== undefined && findKind(field.uiType).family !== 'layout'
}

function isCyclic(field: FieldDefinition, subject: Subject): boolean {
  const seen = new Set<string>()
  const reach = (from: FieldDefinition): boolean =>
    (withAst({ source: from.derived ?? 'null' }, listRowNames) ?? []).some((name) => {
      if (name === field.attrName) return true
      const next = subject.byName.get(name)
      if (next === undefined || seen.has(name)) return false
      seen.add(name)
      return reach(next)
    })
  return reach(field)
}

function typesIn(subject: Subject): FormulaTypes {
  const typeOf = (field: Pick<FieldDefinition, 'uiType'> | null | undefined): FormulaType =>
    field === null || field === undefined ? 'unknown' : typeOfKind(findKind(field.uiType))
  return {
    ofField: (attrName) => typeOf(subject.byName.get(attrName)),
    ofRelation: (attrName, property) => typeOf(findRelated(subject, attrName, property)),
  }
}

/** The first name whose values are no one's to read, or masked: a derived value would reveal them. */
function closedName(ast: Expression, subject: Subject): string | undefined {
  const { byName, definition, context } = subject
  const table = `${definition.schemaName}.${definition.tableName}`
  const own = listRowNames(ast).find((name) => {
    const field = byName.get(name)
    return (
      field !== undefined &&
      (findKind(field.uiType).secret ||
        field.pii !== null ||
        (field.columnName !== null && context.isPersonal?.(table, field.columnName) === true))
    )
  })
  const relation = listRelationReads(ast).find(({ attrName, property }) => {
    const field = findRelated(subject, attrName, property)
    return (
      field !== null && field !== undefined && (findKind(field.uiType).secret || isMarked(field))
    )
  })
  return own ?? (relation === undefined ? undefined : `${relation.attrName}.${relation.property}`)
}

function isMarked({ pii }: Related): boolean {
  return (pii ?? null) !== null
}

/** Numbers, plain texts and switches that no key, serial number or tree depends on. */
function isComputable(field: FieldDefinition, subject: Subject): boolean {
  const { family, secret, markup } = findKind(field.uiType)
  const { definition } = subject
  const column = subject.columnOf(field)
  return (
    (family === 'number' || family === 'flag' || family === 'text') &&
    !secret &&
    !markup &&
    field.pii === null &&
    ![definition.idField, definition.parentField, definition.options.serialNumField].includes(
      field.attrName,
    ) &&
    column?.isPrimary !== true &&
    column?.isServers !== true
  )
}
