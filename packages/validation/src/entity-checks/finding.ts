import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { Message, TextKey, TextParams } from '@jiaowu/api/texts/index'
import type { DesignContext, FlowFinding, KnownColumn } from './context.ts'

/** `error` prevents a save; `warning` is only shown. */
export type Severity = 'error' | 'warning'
/** The stable id of a check, which is also the key of its text. */
export type CheckId = Extract<TextKey, `entity.E${string}`>

/** One error or warning about a definition. */
export interface Finding {
  readonly id: CheckId
  readonly severity: Severity
  /**
   * Location: `fields.studentNo.uiType`, `options.serialNumConfig`, `buttons.audit.positionExp`.
   * Fields and buttons are named rather than numbered, so that a path survives reordering.
   */
  readonly path: string
  /** The field concerned, so that the designer can jump to it. */
  readonly attrName: string | null
  readonly message: Message
  /** The finding of the prover of flows behind it. */
  readonly flow?: FlowFinding
}

/** Input of a check. */
export interface Subject {
  readonly definition: EntityDefinition
  readonly context: DesignContext
  /** attrName → field; the first one of duplicates. */
  readonly byName: ReadonlyMap<string, FieldDefinition>
  /** Columns of the entity's table; null when unknown, undefined when the table does not exist. */
  readonly columns: readonly KnownColumn[] | null | undefined
  readonly columnOf: (field: FieldDefinition) => KnownColumn | undefined
}

/** The report of a check about one location. */
export interface Fault {
  readonly path: string
  readonly attrName?: string
  readonly params?: TextParams
  readonly flow?: FlowFinding
}
export interface Check {
  readonly id: CheckId
  readonly severity: Severity
  readonly find: (subject: Subject) => Iterable<Fault>
}

export const error = (id: CheckId, find: Check['find']): Check => ({ id, severity: 'error', find })
export function warning(id: CheckId, find: Check['find']): Check {
  return {
    id,
    severity: 'warning',
    find,
  }
}

/** Runs a check on each field; it returns undefined, or the parameters of its text. */
export function eachField(
  part: keyof FieldDefinition | `options.${string}`,
  wrong: (field: FieldDefinition, subject: Subject) => TextParams | true | undefined,
) {
  return (subject: Subject): Fault[] =>
    subject.definition.fields.flatMap((field) => {
      const found = wrong(field, subject)
      return found === undefined
        ? []
        : [
            {
              path: `fields.${field.attrName}.${part}`,
              attrName: field.attrName,
              params: { label: field.uiLabel, ...(found === true ? {} : found) },
            },
          ]
    })
}

export function buildSubject(definition: EntityDefinition, context: DesignContext): Subject {
  const columns =
    context.columnsOf === null
      ? null
      : context.columnsOf(`${definition.schemaName}.${definition.tableName}`)
  const byColumn = new Map((columns ?? []).map((column) => [column.name, column]))
  return {
    definition,
    context,
    columns,
    byName: new Map(definition.fields.toReversed().map((field) => [field.attrName, field])),
    columnOf: ({ columnName }) => (columnName === null ? undefined : byColumn.get(columnName)),
  }
}
export function buildFinding(
  { id, severity }: Check,
  { path, attrName, params, flow }: Fault,
): Finding {
  return {
    id,
    severity,
    path,
    attrName: attrName ?? null,
    message: { key: id, ...(params === undefined ? {} : { params }) },
    ...(flow === undefined ? {} : { flow }),
  }
}
