import type { EntityDefinition, FieldDefinition, Message, TextKey, TextParams } from '@jiaowu/api'
import type { DesignWorld, KnownColumn } from './world.ts'

/** `error` stops a save; `warning` is shown and may be lived with. */
export type Severity = 'error' | 'warning'
/** A stable name of a check; the text key of its sentence as well. */
export type CheckId = Extract<TextKey, `entity.E${string}`>

/** One thing that is wrong with a definition. */
export interface Finding {
  readonly id: CheckId
  readonly severity: Severity
  /** Where: `fields.studentNo.uiType`, `options.serialNumConfig`, `buttons.audit.positionExp`. Fields and buttons by name, so that a path outlives a reordering. */
  readonly path: string
  /** The field it belongs to, so that a designer can jump there. */
  readonly attrName: string | null
  readonly message: Message
}

/** What a check is given. */
export interface Subject {
  readonly definition: EntityDefinition
  readonly world: DesignWorld
  /** attrName → field; of doubles, the first. */
  readonly byName: ReadonlyMap<string, FieldDefinition>
  /** The entity's columns; null when unknown, undefined when the table is not there. */
  readonly columns: readonly KnownColumn[] | null | undefined
  readonly columnOf: (field: FieldDefinition) => KnownColumn | undefined
}

/** What a check finds at one place. */
export interface Fault {
  readonly path: string
  readonly attrName?: string
  readonly params?: TextParams
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

/** A check asked of each field: undefined, or what the sentence needs to know. */
export function eachField(
  part: keyof FieldDefinition,
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

export function subjectOf(definition: EntityDefinition, world: DesignWorld): Subject {
  const columns =
    world.columnsOf === null
      ? null
      : world.columnsOf(`${definition.schemaName}.${definition.tableName}`)
  const byColumn = new Map((columns ?? []).map((column) => [column.name, column]))
  return {
    definition,
    world,
    columns,
    byName: new Map(definition.fields.toReversed().map((field) => [field.attrName, field])),
    columnOf: ({ columnName }) => (columnName === null ? undefined : byColumn.get(columnName)),
  }
}
export function findingOf({ id, severity }: Check, { path, attrName, params }: Fault): Finding {
  return {
    id,
    severity,
    path,
    attrName: attrName ?? null,
    message: { key: id, ...(params === undefined ? {} : { params }) },
  }
}
