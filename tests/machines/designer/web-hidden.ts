import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { designerView } from '@jiaowu/machines/designer/view'
import type { Hidden, Shown } from '../../surfaces/web/table.ts'

type View = Shown<typeof designerView>

/**
 * Tells whether something stands before the page: a question, an editor; while the definition is
 * checked and saved it takes no input.
 */
export function isCovered({ step, view }: View, { type }: { readonly type: string }): boolean {
  if (step === 'failed' || step === 'left') return false
  if (step === 'confirming') return !type.startsWith('impact.')
  if (step === 'leaving') return !type.startsWith('leave.')
  if (step === 'stale') return !type.startsWith('stale.')
  if (step === 'loading') return true
  if (view === 'json') return !type.startsWith('json.') || type === 'json.open'
  return step !== 'editing'
}

/** Events that the page has no control for: of fields that are not there, and in a preview. */
export const hidden: Hidden<typeof designerView> = {
  'draft.edit': (view, { edit }) =>
    view.view === 'flow'
      ? edit.type !== 'flow.edit' || hidesFlowEdit(view, edit.change.type)
      : isPreview(view)
        ? edit.type !== 'field.toggle' || view.c.selected !== edit.id
        : hidesEdit(view, edit),
  'field.select': (view, { id }) => isPreview(view) || !hasField(view, id),
}

const hasField = ({ draft }: View, id: string | null) =>
  draft.fields.some((field) => field.id === id)
const isPreview = ({ view }: View) => view !== 'designing' && view !== 'json'
/** A flow is started once, and has the event until it is removed. */
const hidesFlowEdit = ({ draft: { options } }: View, type: string) =>
  type === 'start'
    ? options.flow !== undefined
    : type === 'event.remove'
      ? options.flow?.states['review1']?.on?.['REJECT'] === undefined
      : options.flow === undefined
const hasNoSegments = ({ draft: { options } }: View) => options.serialNumType !== 2
const hasNoButtons = ({ draft: { buttons } }: View) => buttons.length === 0
const lacksField = (view: View, { id }: { readonly id: string }) => !hasField(view, id)

const hiddenEdits: {
  readonly [T in DesignerEdit['type']]?: (
    view: View,
    edit: Extract<DesignerEdit, { type: T }>,
  ) => boolean
} = {
  'column.add': ({ c }, edit) =>
    !c.columns.some(({ columnName }) => columnName === edit.columnName),
  // A switch that is set already.
  'option.set': ({ draft: { options } }, { patch }) =>
    patch.singleSelect !== undefined && options.singleSelect === patch.singleSelect,
  'serial.add': hasNoSegments,
  // A segment keeps its kind on the page: the user adds another and removes the old one.
  'serial.set': () => true,
  'serial.remove': (view) => hasNoSegments(view) || view.draft.options.serialNumConfig.length === 0,
  'flow.edit': () => true,
  'button.set': hasNoButtons,
  'button.remove': hasNoButtons,
  'button.move': ({ draft: { buttons } }, { to }) => buttons.length <= to,
  'field.move': lacksField,
  'field.remove': lacksField,
  'field.set': lacksField,
  'field.toggle': lacksField,
}

function hidesEdit(view: View, edit: DesignerEdit): boolean {
  const hides = hiddenEdits[edit.type] as ((view: View, edit: DesignerEdit) => boolean) | undefined
  return hides?.(view, edit) === true
}
