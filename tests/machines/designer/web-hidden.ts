import {
  type DesignerEdit,
  type DesignerEvent,
  type designerMachine,
  designerView,
} from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'

type Snapshot = SnapshotFrom<typeof designerMachine>

/** Events of the designer that its page has no control for in a state. */
export function hidden(s: Snapshot, event: DesignerEvent): boolean {
  const view = designerView(s)
  if (s.matches('loading')) return true
  if (!s.matches('open')) return false
  if (view.step === 'confirming') return !event.type.startsWith('impact.')
  if (view.step === 'leaving') return !event.type.startsWith('leave.')
  if (view.step === 'stale') return !event.type.startsWith('stale.')
  if (view.view === 'json') return !event.type.startsWith('json.') || event.type === 'json.open'
  // While the definition is checked and saved the page takes no input.
  if (view.step !== 'editing') return true
  const previewing = view.view !== 'designing'
  if (event.type === 'draft.edit')
    return previewing
      ? event.edit.type !== 'field.toggle' || s.context.selected !== event.edit.id
      : editCovered(s, event.edit)
  if (event.type === 'field.select')
    return previewing || !s.context.draft.fields.some(({ id }) => id === event.id)
  return false
}

/**
 * Edits without a control: behind a question or an editor, segments of another kind, a switch that
 * is set already.
 */
function editCovered(s: Snapshot, edit: DesignerEdit): boolean {
  const { options, buttons } = s.context.draft
  switch (edit.type) {
    case 'column.add':
      return !s.context.columns.some(({ columnName }) => columnName === edit.columnName)
    case 'option.set':
      return (
        edit.patch.singleSelect !== undefined && options.singleSelect === edit.patch.singleSelect
      )
    case 'serial.add':
      return options.serialNumType !== 2
    // A segment keeps its kind on the page: the user adds another and removes the old one.
    case 'serial.set':
      return true
    case 'serial.remove':
      return options.serialNumType !== 2 || options.serialNumConfig.length === 0
    case 'button.set':
    case 'button.remove':
      return buttons.length === 0
    case 'button.move':
      return buttons.length <= edit.to
    case 'field.move':
    case 'field.remove':
    case 'field.set':
    case 'field.toggle':
      return !s.context.draft.fields.some(({ id }) => id === edit.id)
    default:
      return false
  }
}
