// The first flow of a definition: a draft, so many approvals one after the other, and the two ends.
import type { Flow, FlowEvent, FlowName, FlowState } from '@jiaowu/api/entity/definition/flow'
import { isDerived } from '@jiaowu/api/entity/config'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { findKind, holdsValue } from '@jiaowu/api/fields/kinds'
import { texts, type TextKey } from '@jiaowu/api/texts/index'
import { addCustom, type Draft, isCustomValid, setField } from '../draft.ts'

export interface FlowStart {
  /** The field of the state; one without a column is added where the definition has none of the name. */
  readonly field: string
  /** Code of the role that decides in each step. */
  readonly roles: readonly string[]
}

/** The name of the field that is added. */
export const newStateField = 'flowState'

export function startFlow(draft: Draft, { field, roles }: FlowStart): Draft {
  if (draft.options.flow !== undefined) return draft
  const withField = draft.fields.some(({ attrName }) => attrName === field)
    ? draft
    : addStateField(draft, field)
  return withField.fields.some(({ attrName }) => attrName === field)
    ? { ...withField, options: { ...withField.options, flow: buildFlow(withField, field, roles) } }
    : draft
}

/** Fields that can hold the key of a state: a text, or a choice from a dictionary. */
export function listStateFields({ fields }: Pick<Draft, 'fields'>): readonly FieldDefinition[] {
  return fields.filter((field) => {
    const { family, multiple, secret } = findKind(field.uiType)
    return (
      field.attrName !== '' &&
      field.isPk === 0 &&
      !isDerived(field) &&
      !secret &&
      !multiple &&
      (family === 'text' || (family === 'choice' && field.dictType === dictTypes.dictionary))
    )
  })
}

/** Fields that a state may open, and that a decider can fill in. */
export function listOpenFields(
  { fields }: Pick<Draft, 'fields'>,
  stateField: string,
): readonly FieldDefinition[] {
  return fields.filter(
    (field) =>
      holdsValue(field.uiType) &&
      field.attrName !== '' &&
      field.attrName !== stateField &&
      field.isPk === 0 &&
      field.isEdit === 1 &&
      !isDerived(field),
  )
}

function addStateField(draft: Draft, attrName: string): Draft {
  const custom = { attrName, uiLabel: toName('design.flow.field').zh, columnType: 'VARCHAR' }
  if (!isCustomValid(draft, custom)) return draft
  const next = addCustom(draft, custom)
  const added = next.fields.find((field) => field.attrName === attrName)
  // Decisions alone write it, so no form offers it.
  return added === undefined ? draft : setField(next, added.id, { isAdd: 0, isEdit: 0 })
}

export function toName(
  key: TextKey,
  params: Readonly<Record<string, string | number>> = {},
): FlowName {
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole))
  const [zh, en]: readonly [string, string] = texts[key]
  return { zh: fill(zh), en: fill(en) }
}

function buildFlow(draft: Draft, field: string, roles: readonly string[]): Flow {
  const edit = listOpenFields(draft, field).map(({ attrName }) => attrName)
  const draftState: FlowState = {
    name: toName('design.flow.draft'),
    tone: 'grey',
    ...(edit.length > 0 && { edit }),
  }
  if (roles.length === 0) return { field, initial: 'draft', states: { draft: draftState } }
  const reviews = roles.map((role, i): readonly [string, FlowState] => {
    const isLast = i === roles.length - 1
    return [
      `review${i + 1}`,
      {
        name: nameReview(i, roles.length),
        tone: 'blue',
        on: {
          APPROVE: buildDecision(
            'design.event.APPROVE',
            isLast ? 'approved' : `review${i + 2}`,
            role,
          ),
          RETURN: { ...buildDecision('design.event.RETURN', 'draft', role), note: 'required' },
          REJECT: { ...buildDecision('design.event.REJECT', 'refused', role), note: 'required' },
          ...(i === 0 && {
            WITHDRAW: {
              name: toName('design.event.WITHDRAW'),
              target: 'draft',
              who: [{ applicant: true as const }],
            },
          }),
        },
      },
    ]
  })
  return {
    field,
    initial: 'draft',
    states: {
      draft: {
        ...draftState,
        on: {
          SUBMIT: {
            name: toName('design.event.SUBMIT'),
            target: 'review1',
            who: [{ applicant: true }],
          },
        },
      },
      ...Object.fromEntries(reviews),
      approved: { name: toName('design.flow.approved'), tone: 'green', final: true },
      refused: { name: toName('design.flow.refused'), tone: 'red', final: true },
    },
    rules: roles.length > 1 ? ['twoPersons', 'reasons'] : ['reasons'],
  }
}

function nameReview(i: number, count: number): FlowName {
  const key =
    count === 1
      ? 'design.flow.review'
      : i < 3
        ? (`design.flow.review${i + 1}` as TextKey)
        : 'design.flow.reviewN'
  return toName(key, { n: i + 1 })
}

function buildDecision(name: TextKey, target: string, role: string): FlowEvent {
  return { name: toName(name), target, who: [{ role }, 'others'] }
}
