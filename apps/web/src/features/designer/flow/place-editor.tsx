import { Button } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { findState } from '@jiaowu/machines/designer/flow/states'
import { useText } from '../../../app/text-context.ts'
import { type ConfigRow, withCurrent } from '../config/rows.ts'
import { AllowEditor } from './allow-editor.tsx'
import { DocumentsEditor } from './documents-editor.tsx'
import { EventEditor } from './event-editor.tsx'
import { type EditorProps, FlowRows, toEdit } from './flow-rows.tsx'
import { findEvent, type FlowPlace, listStateChoices } from './places.ts'
import { RulesEditor } from './rules-editor.tsx'
import { StateEditor } from './state-editor.tsx'
import { StudentEditor } from './student-editor.tsx'

/** Settings of the selected state or event, or of the flow itself. */
export function PlaceEditor({
  place,
  ...props
}: EditorProps & { readonly place: FlowPlace | null }) {
  const { flow } = props
  if (place === null) return <FlowEditor {...props} />
  if (place.key !== undefined) {
    const event = findEvent(flow, place)
    return event === undefined ? null : <EventEditor {...props} place={place} event={event} />
  }
  const state = findState(flow, place.path)
  return state === undefined ? (
    <FlowEditor {...props} />
  ) : (
    <StateEditor {...props} path={place.path} state={state} />
  )
}

function FlowEditor(props: EditorProps) {
  const { flow, sources, change } = props
  const { t, locale } = useText()
  const rows: readonly ConfigRow[] = [
    {
      path: 'flow.field',
      label: 'designer.flow.field',
      control: {
        is: 'choice',
        value: flow.field,
        items: withCurrent(sources.stateFields, flow.field),
        set: (field) => toEdit({ type: 'set', patch: { field } }),
      },
    },
    {
      path: 'flow.initial',
      label: 'designer.flow.initial',
      control: {
        is: 'choice',
        value: flow.initial,
        items: withCurrent(
          listStateChoices(flow, locale).filter(({ value }) => !value.includes('.')),
          flow.initial,
        ),
        set: (initial) => toEdit({ type: 'set', patch: { initial } }),
      },
    },
  ]
  return (
    <>
      <FlowRows rows={rows} change={change} />
      <RulesEditor flow={flow} change={change} />
      <FlowRows rows={listOwnedRows(props)} change={change} />
      <StudentEditor {...props} />
      <DocumentsEditor {...props} />
      <AllowEditor
        allow={flow.allow ?? {}}
        onChange={(allow) => change({ type: 'set', patch: { allow } })}
      />
      <div className="jw-flow-editor__deeds">
        <Button
          icon={<Trash />}
          intent="danger"
          variant="minimal"
          text={t('designer.flow.drop')}
          onClick={() => change({ type: 'drop' })}
        />
      </div>
    </>
  )
}

/** Fields that nothing but the flow may change. Those of related rows, `student.status`, are typed. */
function listOwnedRows({ flow }: EditorProps): readonly ConfigRow[] {
  return [
    {
      path: 'flow.owns',
      label: 'designer.flow.owns',
      hint: 'designer.flow.ownsHint',
      control: {
        is: 'text',
        mono: true,
        value: (flow.owns ?? []).join(', '),
        set: (text) => {
          const names = text.split(/[,，\s]+/).filter((name) => name !== '')
          return toEdit({ type: 'set', patch: { owns: names.length === 0 ? undefined : names } })
        },
      },
    },
  ]
}
