import { Button } from '@blueprintjs/core'
import { Add, Trash } from '@blueprintjs/icons'
import type { FlowState } from '@jiaowu/api/entity/definition/flow'
import { itemTones } from '@jiaowu/api/entity/values'
import type { FlowChange } from '@jiaowu/machines/designer/flow/changes'
import { toName } from '@jiaowu/machines/designer/flow/start'
import { findState } from '@jiaowu/machines/designer/flow/states'
import { useText } from '../../../app/text-context.ts'
import { type ConfigRow, withCurrent } from '../config/rows.ts'
import { AllowEditor } from './allow-editor.tsx'
import { type EditorProps, FlowRows, listNameRows, toEdit } from './flow-rows.tsx'
import { listStateChoices } from './places.ts'
import { TimersEditor } from './timers-editor.tsx'

interface Props extends EditorProps {
  readonly path: string
  readonly state: FlowState
}

export function StateEditor(props: Props) {
  const { flow, sources, path, state, change } = props
  const { t } = useText()
  const outer = path.split('.').slice(0, -1).join('.')
  const edit: ConfigRow = {
    path: 'flow.edit',
    label: 'designer.flow.editable',
    control: {
      is: 'many',
      value: state.edit ?? [],
      items: sources.openFields,
      set: (names) =>
        toEdit({
          type: 'state.set',
          path,
          patch: { edit: names.length === 0 ? undefined : [...names] },
        }),
    },
  }
  return (
    <>
      <FlowRows rows={useStateRows(props)} change={change} />
      {state.states === undefined ? null : <InnerRows {...props} />}
      {state.final === true ? null : (
        <>
          <FlowRows rows={[edit]} change={change} />
          <TimersEditor {...props} />
          <AllowEditor
            allow={state.allow ?? {}}
            onChange={(allow) => change({ type: 'state.set', path, patch: { allow } })}
          />
        </>
      )}
      <div className="jw-flow-editor__deeds">
        {state.final === true ? null : (
          <Button
            icon={<Add />}
            text={t('designer.flow.state.addWithin')}
            onClick={() =>
              change({
                type: 'state.add',
                within: path,
                name: toName('design.flow.state', {
                  n: Object.keys(state.states ?? {}).length + 1,
                }),
              })
            }
          />
        )}
        <Button
          icon={<Trash />}
          intent="danger"
          variant="minimal"
          text={t('designer.flow.state.remove')}
          disabled={outer === '' && Object.keys(flow.states).length < 2}
          onClick={() => change({ type: 'state.remove', path })}
        />
      </div>
    </>
  )
}

function useStateRows({ flow, path, state }: Props): readonly ConfigRow[] {
  const { t } = useText()
  const set = (patch: Partial<FlowState>): FlowChange => ({ type: 'state.set', path, patch })
  const outer = path.split('.').slice(0, -1).join('.')
  const key = path.split('.').at(-1) ?? ''
  const around = outer === '' ? flow : findState(flow, outer)
  const initialRow: ConfigRow = {
    path: 'flow.isInitial',
    label: 'designer.flow.isInitial',
    control: {
      is: 'switch',
      value: around?.initial === key,
      set: () =>
        toEdit(
          outer === ''
            ? { type: 'set', patch: { initial: key } }
            : { type: 'state.set', path: outer, patch: { initial: key } },
        ),
    },
  }
  return [
    ...listNameRows(
      state.name,
      key,
      (name) => set({ name }),
      (to) => ({ type: 'state.rename', path, key: to }),
    ),
    {
      path: 'flow.tone',
      label: 'designer.flow.tone',
      control: {
        is: 'choice',
        value: state.tone ?? '',
        items: [
          { value: '', text: t('designer.flow.toneNone') },
          ...itemTones.map((tone) => ({ value: tone, text: t(`designer.flow.tone.${tone}`) })),
        ],
        set: (tone) => toEdit(set({ tone: itemTones.find((each) => each === tone) })),
      },
    },
    ...(outer !== '' && findState(flow, outer)?.type === 'parallel' ? [] : [initialRow]),
    {
      path: 'flow.final',
      label: 'designer.flow.isFinal',
      control: {
        is: 'switch',
        value: state.final === true,
        // Nothing happens in an end.
        set: (isFinal) =>
          toEdit(
            set(
              isFinal
                ? { final: true, on: undefined, after: undefined, edit: undefined }
                : { final: undefined },
            ),
          ),
      },
    },
  ]
}

/** Settings of a state with states within. */
function InnerRows({ flow, path, state, change }: Props) {
  const { t, locale } = useText()
  const target = typeof state.onDone === 'string' ? state.onDone : (state.onDone?.target ?? '')
  const set = (patch: Partial<FlowState>) => toEdit({ type: 'state.set', path, patch })
  const [first] = Object.keys(state.states ?? {})
  const rows: readonly ConfigRow[] = [
    {
      path: 'flow.parallel',
      label: 'designer.flow.isParallel',
      control: {
        is: 'switch',
        value: state.type === 'parallel',
        set: (isParallel) =>
          set(
            isParallel
              ? { type: 'parallel', initial: undefined }
              : { type: undefined, initial: first },
          ),
      },
    },
    {
      path: 'flow.onDone',
      label: 'designer.flow.onDone',
      control: {
        is: 'choice',
        value: target,
        items: withCurrent(
          [
            { value: '', text: t('designer.flow.targetStays') },
            ...listStateChoices(flow, locale).filter(
              ({ value }) => value !== path && !value.startsWith(`${path}.`),
            ),
          ],
          target,
        ),
        set: (to) =>
          set({
            onDone:
              to === ''
                ? undefined
                : typeof state.onDone === 'object'
                  ? { ...state.onDone, target: to }
                  : to,
          }),
      },
    },
  ]
  return <FlowRows rows={rows} change={change} />
}
