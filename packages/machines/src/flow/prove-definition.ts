import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { FlowField } from './check-parts.ts'
import { type FlowFault, type FlowFacts, proveFlow } from './prove.ts'

/** Facts of a school and its entities; without a server nothing is known. */
export interface SchoolFacts extends Pick<
  FlowFacts,
  'fieldsOf' | 'holders' | 'ownerOf' | 'templates' | 'hasCalendar'
> {
  readonly itemsOf: ((dictionary: string) => readonly string[] | undefined) | null
}
const noSchool: SchoolFacts = {
  fieldsOf: null,
  holders: null,
  ownerOf: null,
  templates: null,
  hasCalendar: null,
  itemsOf: null,
}

/** The findings about the flow of a definition; none without a flow. */
export function proveDefinition(
  { options: { flow }, fields }: EntityDefinition,
  school: SchoolFacts = noSchool,
): readonly FlowFault[] {
  if (flow === undefined) return []
  return proveFlow(flow, {
    ...school,
    fields: new Map(
      fields
        .filter(({ uiType }) => findKind(uiType).family !== 'layout')
        .map((field) => [field.attrName, toFlowField(field, school)]),
    ),
  })
}

function toFlowField(
  field: EntityDefinition['fields'][number],
  { itemsOf }: SchoolFacts,
): FlowField {
  const { uiType, dictType, dictValue, valids, defaultValue } = field
  const { family, multiple, secret } = findKind(uiType)
  const isWritten = !isDerived(field) && !secret
  return {
    relation:
      dictType === dictTypes.entity && !multiple ? (dictValue?.split('.')[0] ?? null) : null,
    items:
      dictType === dictTypes.dictionary && !multiple ? (itemsOf?.(dictValue ?? '') ?? null) : null,
    isRequired: valids.required === true,
    hasDefault: defaultValue !== null && defaultValue !== '',
    isText:
      !multiple &&
      (family === 'text' || (family === 'choice' && dictType === dictTypes.dictionary)),
    isWritten,
    isEdited: isWritten && field.isEdit === 1,
  }
}
