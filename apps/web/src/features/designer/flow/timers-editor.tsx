import { Button } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import {
  durationPattern,
  type FlowEffect,
  type FlowState,
} from '@jiaowu/api/entity/definition/flow'
import { listParts } from '@jiaowu/machines/flow/parts'
import { useText } from '../../../app/text-context.ts'
import { ChoiceSelect } from '../config/choice-select.tsx'
import { TypedInput } from '../config/typed-input.tsx'
import { EffectsEditor } from './effects-editor.tsx'
import type { EditorProps } from './flow-rows.tsx'
import { listStateChoices } from './places.ts'
import { RemoveButton } from './remove-button.tsx'

interface Props extends EditorProps {
  readonly path: string
  readonly state: FlowState
}
type Timer = NonNullable<FlowState['after']>[string]
const units = ['h', 'workdays'] as const

/** Steps that a state takes by itself when nobody has decided in time. */
export function TimersEditor({ flow, sources, path, state, change }: Props) {
  const { t, locale } = useText()
  const timers = Object.entries(state.after ?? {})
  const states = listStateChoices(flow, locale)
  const parts = listParts(flow).events
  const put = (next: readonly (readonly [string, Timer])[]) =>
    change({
      type: 'state.set',
      path,
      patch: { after: next.length === 0 ? undefined : Object.fromEntries(next) },
    })
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.timers')}</legend>
      {timers.map(([duration, timer], at) => {
        const found = parts.find((each) => each.path === path && each.key === duration)
        return (
          <TimerEditor
            key={duration}
            label={t('designer.flow.timer', { n: at + 1 })}
            duration={duration}
            target={found?.target ?? timer.target}
            states={states}
            onDuration={(to) => {
              if (!timers.some(([each]) => each === to)) put(timers.with(at, [to, timer]))
            }}
            onTarget={(target) => put(timers.with(at, [duration, { ...timer, target }]))}
            onRemove={() => put(timers.filter((_each, i) => i !== at))}
          >
            <EffectsEditor
              effects={timer.effects ?? []}
              sources={sources}
              onChange={(effects) => put(timers.with(at, [duration, withEffects(timer, effects)]))}
            />
          </TimerEditor>
        )
      })}
      <Button
        size="small"
        icon={<Add />}
        text={t('designer.flow.timer.add')}
        disabled={states.length === 0}
        onClick={() =>
          put([...timers, [findFreeDuration(timers), { target: states.at(-1)?.value ?? path }]])
        }
      />
    </fieldset>
  )
}

function withEffects({ target }: Timer, effects: readonly FlowEffect[]): Timer {
  return effects.length === 0 ? { target } : { target, effects: [...effects] }
}

/** The first number of working days that no timer of the state has. */
function findFreeDuration(timers: readonly (readonly [string, Timer])[]): string {
  for (let n = 5; ; n += 1)
    if (!timers.some(([each]) => each === `${String(n)} workdays`)) return `${String(n)} workdays`
}

function TimerEditor({
  label,
  duration,
  target,
  states,
  onDuration,
  onTarget,
  onRemove,
  children,
}: {
  readonly label: string
  readonly duration: string
  readonly target: string
  readonly states: ReturnType<typeof listStateChoices>
  readonly onDuration: (duration: string) => void
  readonly onTarget: (target: string) => void
  readonly onRemove: () => void
  readonly children: React.ReactNode
}) {
  const { t } = useText()
  const [, count = '1', unit = 'h'] = durationPattern.exec(duration) ?? []
  const setDuration = (next: string) => {
    if (durationPattern.test(next)) onDuration(next)
  }
  return (
    <div className="jw-flow-editor__effect" role="group" aria-label={label}>
      <div className="jw-flow-editor__term">
        <TypedInput
          inputMode="numeric"
          label={`${label}: ${t('designer.flow.timer.count')}`}
          value={count}
          onCommit={(text) => setDuration(`${text.trim()} ${unit}`)}
        />
        <ChoiceSelect
          label={`${label}: ${t('designer.flow.timer.unit')}`}
          value={unit}
          items={units.map((each) => ({ value: each, text: t(`designer.flow.timer.${each}`) }))}
          onPick={(next) => setDuration(`${count} ${next}`)}
        />
        <RemoveButton label={label} onRemove={onRemove} />
      </div>
      <ChoiceSelect
        label={`${label}: ${t('designer.flow.target')}`}
        value={target}
        items={states}
        onPick={onTarget}
      />
      {children}
    </div>
  )
}
