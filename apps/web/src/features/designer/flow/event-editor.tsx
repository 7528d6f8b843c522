import { Button } from '@blueprintjs/core'
import { Duplicate, Trash } from '@blueprintjs/icons'
import type { FlowEvent } from '@jiaowu/api/entity/definition/flow'
import type { EventPlace } from '@jiaowu/machines/designer/flow/changes'
import { listParts } from '@jiaowu/machines/flow/parts'
import { useText } from '../../../app/text-context.ts'
import { type ConfigRow, withCurrent } from '../config/rows.ts'
import { AskEditor } from './ask-editor.tsx'
import { EffectsEditor } from './effects-editor.tsx'
import { type EditorProps, FlowRows, listNameRows, toEdit } from './flow-rows.tsx'
import { listStateChoices } from './places.ts'
import { WhoEditor } from './who-editor.tsx'

interface Props extends EditorProps {
  readonly place: EventPlace
  readonly event: FlowEvent
}
const notes = ['none', 'optional', 'required'] as const

export function EventEditor(props: Props) {
  const { sources, place, event, change } = props
  const { t } = useText()
  const { names, conditions } = useEventRows(props)
  const set = (patch: Partial<FlowEvent>) => change({ type: 'event.set', ...place, patch })
  return (
    <>
      <FlowRows rows={names} change={change} />
      <WhoEditor who={event.who} sources={sources} onChange={(who) => set({ who })} />
      <FlowRows rows={conditions} change={change} />
      <AskEditor
        ask={event.ask ?? []}
        fields={sources.openFields}
        onChange={(ask) => set({ ask: ask.length === 0 ? undefined : [...ask] })}
      />
      <EffectsEditor
        effects={event.effects ?? []}
        sources={sources}
        onChange={(effects) => set({ effects: effects.length === 0 ? undefined : [...effects] })}
      />
      <div className="jw-flow-editor__deeds">
        <Button
          icon={<Duplicate />}
          text={t('designer.flow.event.copy')}
          title={t('designer.flow.event.copyHint')}
          onClick={() => change({ type: 'event.copy', ...place })}
        />
        <Button
          icon={<Trash />}
          intent="danger"
          variant="minimal"
          text={t('designer.flow.event.remove')}
          onClick={() => change({ type: 'event.remove', ...place })}
        />
      </div>
    </>
  )
}

function useEventRows({ flow, place, event }: Props) {
  const { t, locale } = useText()
  const { path, key, no } = place
  const set = (patch: Partial<FlowEvent>) => toEdit({ type: 'event.set', ...place, patch })
  const found = listParts(flow).events.find(
    (each) => each.path === path && each.key === key && each.no === no,
  )?.target
  const target = found ?? event.target ?? ''
  const names: readonly ConfigRow[] = [
    ...listNameRows(
      event.name,
      key,
      (name) => ({ type: 'event.set', ...place, patch: { name } }),
      (to) => ({ type: 'event.rename', path, key, to }),
    ),
    {
      path: 'flow.target',
      label: 'designer.flow.target',
      control: {
        is: 'choice',
        value: target,
        items: withCurrent(
          [{ value: '', text: t('designer.flow.targetStays') }, ...listStateChoices(flow, locale)],
          target,
        ),
        set: (to) => set({ target: to === '' ? undefined : to }),
      },
    },
  ]
  const conditions: readonly ConfigRow[] = [
    {
      path: 'flow.when',
      label: 'designer.flow.when',
      hint: 'designer.flow.whenHint',
      control: {
        is: 'text',
        mono: true,
        lines: 2,
        value: event.when ?? '',
        set: (when) => set({ when: when.trim() === '' ? undefined : when.trim() }),
      },
    },
    {
      path: 'flow.note',
      label: 'designer.flow.note',
      control: {
        is: 'choice',
        value: event.note ?? 'none',
        items: notes.map((note) => ({ value: note, text: t(`designer.flow.note.${note}`) })),
        set: (note) => set({ note: note === 'required' || note === 'optional' ? note : undefined }),
      },
    },
  ]
  return { names, conditions }
}
