import { type DictItem, type TextKey, type WireValue } from '@jiaowu/api'
import type { entityFormMachine, EntityFormEvent } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { type FormActor, FormScreen } from '../../../apps/cli/src/screens/form/form-screen.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import {
  custom,
  key,
  noKey,
  type TerminalGesture,
  typeOver,
} from '../../surfaces/terminal/gestures.ts'
import { redLines } from '../../surfaces/terminal/reads.ts'
import type { TerminalUser } from '../../surfaces/terminal/screen.tsx'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { isFoot } from '../../surfaces/terminal/terminal-mutants.ts'
import { entityFormModels, formModel, formStaleModel } from './model.ts'

type Snapshot = SnapshotFrom<typeof entityFormMachine>
interface View {
  readonly s: Snapshot
  readonly step: string
  /** The fields are on the screen. */
  readonly isShown: boolean
}
const parts = {
  add: formModel(['add'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  edit: formModel(['edit'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  stale: formStaleModel,
}
const sides = [zh('cli.stale.mine'), zh('cli.stale.theirs')]
const mark = (isChosen: boolean): string => (isChosen ? '(•)' : '( )')
const flat = (line: string): string => line.replaceAll(/\s+/g, ' ').trim()
const waits: Readonly<Record<string, TextKey>> = {
  loading: 'common.loading',
  saving: 'cli.savingRow',
  leaving: 'form.leave',
  stale: 'cli.stale.title',
}

export const formTerminal = terminalDriverOf<Snapshot, EntityFormEvent, View>({
  model: { ...entityFormModels, parts },
  view: (s) => {
    const step = s.matches({ editing: 'leaving' })
      ? 'leaving'
      : typeof s.value === 'string'
        ? s.value
        : 'editing'
    return { s, step, isShown: ['editing', 'leaving', 'saving'].includes(step) }
  },
  readings: {
    name: {
      model: ({ s, isShown }) => (isShown ? String(s.context.values.name ?? '') : null),
      screen: (user) => /name \*[^\S\n]*(\S*)/.exec(user.frame())?.[1]?.replace(/^-$/, '') ?? null,
    },
    red: { model: problemsOf, screen: redLines },
    lines: { model: (view) => linesOf(view).join('\n'), screen: linesIn },
  },
  says: {},
  gestures: {
    'field.change': ({ value }) => atName((user) => typeOver(user, String(value))),
    'field.blur': atName((user) => user.press('↓')),
    'group.toggle': noKey,
    'form.submit': key(zh('common.save')),
    'form.retry': key(zh('common.retry')),
    'form.leave': key(zh('cli.key.leave')),
    'leave.confirm': key(zh('cli.key.yes')),
    'leave.cancel': key(zh('cli.key.no')),
    'stale.choose': ({ side }) =>
      custom((user) =>
        user.says(zh('cli.stale.title')) ? user.press(side === 'mine' ? '←' : '→') : null,
      ),
    'stale.save': key(zh('common.save')),
    'stale.cancel': key(zh('common.cancel')),
  },
  element: (actor) => (
    <FormScreen
      actor={actor as unknown as FormActor}
      locale="zh-CN"
      find={() => Promise.resolve([])}
    />
  ),
})

function problemsOf({ s: { context }, step, isShown }: View): string {
  return [
    ...(isShown ? Object.values(context.faults).map(({ message }) => message) : []),
    ...((isShown || step === 'failed') && context.problem !== null
      ? [context.problem.message]
      : []),
  ]
    .map(sentence)
    .join()
}

/** Every line but the name and the red ones: title, fields, what is waited for or asked. */
function linesOf({ s: { context }, step, isShown }: View): readonly string[] {
  const { config, row, values, input, stale, folded } = context
  const record = [input.id === null ? null : row?.['name'], row?.id].filter(Boolean).join(' · ')
  const wait = waits[step]
  const conflicts = Object.entries(stale?.choices ?? {}).map(([name, side]) =>
    [
      `${name} ${mark(side === 'mine')} ${sides[0]} ${nameOf(values[name])}`,
      `${mark(side === 'theirs')} ${sides[1]} ${nameOf(stale?.theirs[name])}`,
    ].join(' '),
  )
  return [
    flat(`${config?.name ?? ''} ${zh(input.id === null ? 'common.add' : 'common.edit')} ${record}`),
    ...(isShown
      ? [
          `${folded.includes('g') ? '▸' : '▾'} g`,
          `faculty ${nameOf(values.faculty)}`,
          `major ${nameOf(values.major)}`,
        ]
      : []),
    ...(wait === undefined ? [] : [zh(wait)]),
    ...(step === 'stale' ? [...conflicts, ...(conflicts.length === 0 ? [] : sides)] : []),
  ]
}

function linesIn(user: TerminalUser): string {
  return [
    ...user
      .frame()
      .split('\n')
      .filter((line) => !isFoot(line))
      .map((line) => flat(line.replace(/❯| ▾$/g, ' ')))
      .filter((line) => line !== '' && !/^✗|^name \*/.test(line)),
    ...sides.filter((label) => user.keyFor(label) !== null),
  ].join('\n')
}

function nameOf(value: WireValue | undefined): string {
  const names = Array.isArray(value)
    ? (value as readonly DictItem[]).map(({ name, id }) => name || id).join()
    : String(value ?? '')
  return names === '' ? '-' : names
}

/** Moves up to the first field, from the last one too; then acts there. */
function atName(act: (user: TerminalUser) => Promise<void>): TerminalGesture {
  return custom((user) => {
    if (!/name \*/.test(user.frame())) return null
    return (async () => {
      for (let i = 0; i < 4 && !/❯\s+name/.test(user.frame()); i += 1) await user.press('↑')
      await act(user)
    })()
  })
}
