// Fields whose choices are rows of another entity: dictType 1, dictValue `TAG.attrName`. The field
// stores the row's id and shows its `attrName`.
import { dictTypes, maskPii, type PiiKind } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import type { Column } from '../fields/column.ts'
import type { LoadedEntity, LoadedField } from './loaded.ts'

export interface Relation {
  readonly target: LoadedEntity
  /** The column shown as the name of a row. */
  readonly display: Column
  /** Personal data in that column is masked for everyone (docs/rules/security.md#d4). */
  readonly pii: PiiKind | null
}

/** The name of a row as users see it. */
export function shownName({ pii }: Pick<Relation, 'pii'>, name: string): string {
  return pii === null ? name : maskPii(pii, name)
}

export function relationTag({
  dictType,
  dictValue,
}: Pick<LoadedField['definition'], 'dictType' | 'dictValue'>): string | null {
  return dictType === dictTypes.entity && dictValue !== null
    ? (dictValue.split('.')[0] ?? null)
    : null
}

/** Null when the entity does not exist; the field then has no choices. */
export async function relationOf(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  field: LoadedField,
): Promise<Relation | null> {
  const tag = relationTag(field.definition)
  const target = tag === null ? undefined : await registry.find(subject.tenant, tag)
  if (target === undefined) return null
  const display = displayOf(target, field.definition.dictValue?.split('.')[1])
  const pii = target.fields.find(({ column }) => column?.name === display.name)?.pii ?? null
  return { target, display, pii }
}

/** `TAG.idField` and a bare `TAG` show the entity's tag field. */
function displayOf(target: LoadedEntity, attrName: string | undefined): Column {
  const { idField, tagField } = target.definition
  const named = attrName === undefined || attrName === idField ? tagField : attrName
  return (named === null ? undefined : target.column(named)) ?? target.id
}
