import { FormGroup, HTMLSelect, Radio, RadioGroup, TextArea } from '@blueprintjs/core'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import { problemDetail } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { ActionDialog } from '../overlays/action-dialog.tsx'
import { type Chosen, PersonPicker } from './person-picker.tsx'
import { type Given, type HandAct, useHanding, type Way } from './use-handing.ts'

type Task = FlowStateAnswer['tasks'][number]
interface Props {
  readonly tag: string
  readonly id: string
  readonly act: HandAct
  readonly onDone: () => void
  readonly onClose: () => void
}

/**
 * Hands a task over (转办), adds somebody to its step (加签) or sends copies (抄送). The first two are checked by
 * the server before they are carried out.
 */
export function HandDialog({ tag, id, act, onDone, onClose }: Props) {
  const { t, locale } = useText()
  const { toast } = useNotice()
  const page = useHanding(tag, id, () => {
    toast('success', t(`hand.done.${act}`))
    onDone()
  })
  const [whom, setWhom] = useState<readonly Chosen[]>([])
  const [note, setNote] = useState('')
  const [path, setPath] = useState<string | null>(null)
  const [way, setWay] = useState<Way | null>(null)
  const tasks = selectTasks(page.data?.tasks ?? [], act)
  const given = buildGiven(tasks, { act, path, way, whom, note })
  const preview = page.outputOf('preview') ?? null
  const isChecked = act === 'copy' || preview !== null
  // Whatever changes is checked again.
  const change = (apply: () => void) => {
    page.dismiss('preview')
    page.dismiss('send')
    apply()
  }
  const missing = () =>
    whom.length === 0
      ? t('hand.choose')
      : act === 'transfer' && given.note === ''
        ? t('hand.reasonMissing')
        : null
  const problem = page.failureOf('send') ?? page.failureOf('preview')
  const submit = () =>
    isChecked ? page.start('send', given) : page.start('preview', { ...given, isPreview: true })
  return (
    <ActionDialog
      title={t(`hand.${act}`)}
      intent="primary"
      action={isChecked ? t(`hand.${act}`) : t('todo.check')}
      isActing={page.acting !== null}
      canSubmit={page.data !== null}
      problem={page.problem}
      fault={problem === null ? null : problemDetail(locale, problem)}
      missing={missing}
      onSubmit={submit}
      onClose={onClose}
    >
      {act === 'copy' ? null : (
        <Steps
          tasks={tasks}
          given={given}
          onPath={(value) => change(() => setPath(value))}
          onWay={(value) => change(() => setWay(value))}
        />
      )}
      <PersonPicker
        chosen={whom}
        withOffices={act === 'add'}
        // A task has one new holder; copies go to several.
        onChange={(next) => change(() => setWhom(act === 'copy' ? next : next.slice(-1)))}
      />
      <Note act={act} note={note} onChange={(value) => change(() => setNote(value))} />
      {preview === null ? null : (
        <p role="status">{t(`hand.would.${act}`, { step: preview.step, name: preview.whom })}</p>
      )}
    </ActionDialog>
  )
}

/** Steps in which the act is allowed. */
function selectTasks(tasks: readonly Task[], act: HandAct): readonly Task[] {
  return act === 'transfer'
    ? tasks.filter(({ transfer }) => transfer)
    : act === 'add'
      ? tasks.filter(({ add }) => add.length > 0)
      : tasks
}

function buildGiven(
  tasks: readonly Task[],
  {
    path,
    way,
    note,
    ...rest
  }: Pick<Given, 'act' | 'whom' | 'note'> & {
    readonly path: string | null
    readonly way: Way | null
  },
): Given {
  const task = tasks.find((each) => each.path === path) ?? tasks[0]
  const ways = task?.add ?? []
  return {
    ...rest,
    path: task?.path ?? '',
    way: way !== null && ways.includes(way) ? way : (ways[0] ?? 'beside'),
    note: note.trim(),
    isPreview: false,
  }
}

function Steps({
  tasks,
  given: { act, path, way },
  onPath,
  onWay,
}: {
  readonly tasks: readonly Task[]
  readonly given: Given
  readonly onPath: (path: string) => void
  readonly onWay: (way: Way) => void
}) {
  const { t } = useText()
  const ways = tasks.find((each) => each.path === path)?.add ?? []
  return (
    <>
      {tasks.length > 1 ? (
        <FormGroup label={t('hand.step')}>
          <HTMLSelect
            fill
            aria-label={t('hand.step')}
            value={path}
            onChange={({ currentTarget: { value } }) => onPath(value)}
            options={tasks.map((each) => ({ value: each.path, label: each.name }))}
          />
        </FormGroup>
      ) : null}
      {act === 'add' ? (
        <RadioGroup
          label={t('hand.way')}
          selectedValue={way}
          onChange={({ currentTarget: { value } }) => onWay(value as Way)}
        >
          {ways.map((each) => (
            <Radio key={each} value={each} label={t(`hand.way.${each}`)} />
          ))}
        </RadioGroup>
      ) : null}
    </>
  )
}

function Note({
  act,
  note,
  onChange,
}: {
  readonly act: HandAct
  readonly note: string
  readonly onChange: (note: string) => void
}) {
  const { t } = useText()
  const id = useId()
  return (
    <FormGroup label={t(act === 'transfer' ? 'hand.reason' : 'flowPanel.note')} labelFor={id}>
      <TextArea
        id={id}
        fill
        maxLength={500}
        value={note}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </FormGroup>
  )
}
