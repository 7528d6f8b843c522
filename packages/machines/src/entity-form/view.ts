import {
  type Editing,
  resolveEditing,
  type EntityConfig,
  type Field,
} from '@jiaowu/api/entity/config'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { derivedValues, findWarning } from '@jiaowu/validation'
import type { SnapshotFrom } from 'xstate'
import type { Side } from './context.ts'
import type { entityFormMachine } from './machine.ts'
import { isPinnable } from './new-record.ts'
import { patternName } from '../buttons/question.ts'
import { valuesOfRow } from './values.ts'

/** A field of a form or a detail page. */
export interface FormFieldView {
  readonly field: Field
  readonly editing: Editing
  readonly value: WireValue
  /** The text under the field: the server's, or the message of a rule. */
  readonly fault: string | Message | null
  /** A doubt about the value, which stops nothing. */
  readonly warning: Message | null
  /** Whether its value is kept for the next new record; null: it cannot be. */
  readonly pinned: boolean | null
}
/** The fields from one group header to the next. Those before the first header have none. */
export interface FormGroupView {
  readonly group: Field | null
  readonly folded: boolean
  readonly fields: readonly FormFieldView[]
}
export interface StaleFieldView {
  readonly field: Field
  readonly mine: WireValue
  readonly theirs: WireValue
  readonly side: Side
}

export interface EntityFormView {
  readonly step:
    | 'loading'
    | 'failed'
    | 'viewing'
    | 'editing'
    | 'leaving'
    | 'saving'
    | 'stale'
    | 'saved'
    | 'left'
  readonly mode: 'add' | 'edit' | 'view'
  readonly dirty: boolean
  readonly config: EntityConfig | null
  readonly row: Row | null
  /** The record by the entity's title pattern; null without one and for a new record. */
  readonly recordName: string | null
  /** The name of the record that the new one copies; empty where it has none. Null: no copy. */
  readonly copyOf: string | null
  /** The id of the record, made in advance for a new one; null until the form is read. */
  readonly rowId: string | null
  readonly groups: readonly FormGroupView[]
  readonly values: Values
  readonly problem: Problem | null
  readonly stale: readonly StaleFieldView[] | null
  readonly can: {
    readonly submit: boolean
    /** Save, then open the form for another record. */
    readonly submitNext: boolean
    readonly change: boolean
    readonly leave: boolean
    readonly retry: boolean
    readonly confirmLeave: boolean
    readonly saveStale: boolean
  }
}

type Snapshot = SnapshotFrom<typeof entityFormMachine>

export function entityFormView(s: Snapshot): EntityFormView {
  const { input, config, row, problem, copied } = s.context
  const mode = input.viewOnly === true ? 'view' : input.id === null ? 'add' : 'edit'
  const values = shownValues(s.context, mode)
  return {
    step: resolveFormStep(s),
    mode,
    dirty: s.hasTag('editing') && !s.matches({ editing: 'pristine' }),
    config,
    row,
    recordName: mode === 'add' ? null : patternName(row, config),
    copyOf: copied === null ? null : (patternName(copied, config) ?? ''),
    rowId: input.id ?? row?.id ?? s.context.newId,
    values,
    problem,
    groups: buildFormGroups(s.context, values, mode),
    stale: buildStaleFields(s.context),
    can: {
      submit: s.can({ type: 'form.submit' }),
      submitNext: mode === 'add' && s.can({ type: 'form.submit' }),
      change: s.can({ type: 'field.change', attrName: '', value: null }),
      leave: s.can({ type: 'form.leave' }),
      retry: s.can({ type: 'form.retry' }),
      confirmLeave: s.can({ type: 'leave.confirm' }),
      saveStale: s.can({ type: 'stale.save' }),
    },
  }
}

/** Derived fields follow the others while these are edited; a detail page shows what is stored. */
function shownValues(
  { config, values, faults }: Snapshot['context'],
  mode: EntityFormView['mode'],
): Values {
  return mode === 'view' || config === null
    ? values
    : { ...values, ...derivedValues(config.fields, values, Object.keys(faults)) }
}

function resolveFormStep(s: Snapshot): EntityFormView['step'] {
  if (s.matches({ editing: 'leaving' })) return 'leaving'
  const { value } = s
  return typeof value === 'string' ? value : 'editing'
}

function buildFormGroups(
  { config, faults, folded, pins }: Snapshot['context'],
  values: Values,
  mode: EntityFormView['mode'],
): FormGroupView[] {
  const groups: { group: Field | null; folded: boolean; fields: FormFieldView[] }[] = [
    { group: null, folded: false, fields: [] },
  ]
  for (const field of config?.fields ?? []) {
    const editing = shownAs(field, mode)
    if (editing === 'hidden') continue
    if (findKind(field.uiType).layout === 'group')
      groups.push({ group: field, folded: folded.includes(field.attrName), fields: [] })
    else
      groups.at(-1)?.fields.push({
        field,
        editing,
        value: holdsValue(field.uiType) ? (values[field.attrName] ?? null) : null,
        fault: faults[field.attrName]?.message ?? null,
        warning: editing === 'editable' ? findWarning(field, values[field.attrName]) : null,
        pinned:
          mode === 'add' && config !== null && isPinnable(config, field.attrName)
            ? Object.hasOwn(pins, field.attrName)
            : null,
      })
  }
  // Leave out headers without fields.
  return groups.filter(({ fields }) => fields.length > 0)
}

function shownAs(field: Field, mode: EntityFormView['mode']): Editing {
  return mode === 'view'
    ? field.isDetail === 1
      ? 'readonly'
      : 'hidden'
    : resolveEditing(field, mode)
}

function buildStaleFields({ stale, config, values }: Snapshot['context']): StaleFieldView[] | null {
  if (stale === null || config === null) return null
  const theirs = valuesOfRow(config, stale.theirs)
  return config.fields.flatMap((field) => {
    const side = stale.choices[field.attrName]
    return side === undefined
      ? []
      : [
          {
            field,
            mine: values[field.attrName] ?? null,
            theirs: theirs[field.attrName] ?? null,
            side,
          },
        ]
  })
}
