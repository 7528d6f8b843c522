import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import type { TextKey } from '@jiaowu/api/texts/index'
import { entityFormView } from '@jiaowu/machines/entity-form/view'
import { FormScreen } from '../../../apps/cli/src/screens/form/form-screen.tsx'
import {
  by,
  createTerminalDriver,
  on,
  read,
  formatMessages,
  zh,
  type Shown,
  type TerminalGesture,
  type TerminalUser,
} from '../../surfaces/terminal/driver.ts'
import { isFoot } from '../../surfaces/terminal/terminal-mutants.ts'
import { entityFormModels, formModel, formStaleModel } from './model.ts'

type View = Shown<typeof entityFormView>
const parts = {
  add: formModel(['add'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  edit: formModel(['edit'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  stale: formStaleModel,
}
const sides = [zh('cli.stale.mine'), zh('cli.stale.theirs')]
const waits: Readonly<Record<string, TextKey>> = {
  loading: 'common.loading',
  saving: 'cli.savingRow',
  'editing.leaving': 'form.leave',
  stale: 'cli.stale.title',
}
/** The fields are on the screen. */
const isShown = on('editing', 'saving')

export const driver = createTerminalDriver({
  model: { ...entityFormModels, parts },
  view: entityFormView,
  readings: {
    name: [
      (v) => (isShown(v) ? String(v.c.values['name'] ?? '') : null),
      (user) => /name \*[^\S\n]*(\S*)/.exec(user.frame())?.[1]?.replace(/^-$/, '') ?? null,
    ],
    red: [formatFormProblems, read.red],
    lines: [(v) => listFormLines(v).join('\n'), linesIn],
  },
  says: {},
  hints: { [zh('cli.key.pin')]: ({ can }) => can.submitNext },
  gestures: {
    'field.change': ({ value }) => atName((user) => by.typeOver(user, String(value))),
    'field.blur': atName((user) => user.press('↓')),
    'group.toggle': by.noKey,
    'form.submit': ({ next }) => by.key(zh(next === true ? 'form.saveNext' : 'common.save')),
    'pin.toggle': atName((user) => user.press('^p')),
    'form.retry': by.key(zh('common.retry')),
    'form.leave': by.key(zh('cli.key.leave')),
    'leave.confirm': by.key(zh('cli.key.yes')),
    'leave.cancel': by.key(zh('cli.key.no')),
    'stale.choose': ({ side }) =>
      by.custom((user) =>
        user.says(zh('cli.stale.title')) ? user.press(side === 'mine' ? '←' : '→') : null,
      ),
    'stale.save': by.key(zh('common.save')),
    'stale.cancel': by.key(zh('common.cancel')),
  },
  screen: FormScreen,
  props: { find: () => Promise.resolve([]) },
})

function formatFormProblems(v: View): string {
  const faults = Object.values(v.c.faults).map(({ message }) => message)
  return formatMessages(
    ...(isShown(v) ? faults : []),
    on('editing', 'saving', 'failed')(v) && v.problem,
  )
}

/** Every line but the name and the red ones: title, fields, what is waited for or asked. */
function listFormLines(v: View): readonly string[] {
  const { config, row, values, stale, input, folded } = v.c
  const isNew = input.id === null
  const record = [isNew ? null : row?.['name'], row?.id].filter(Boolean).join(' · ')
  const mark = (isChosen: boolean) => (isChosen ? '(•)' : '( )')
  return [
    read.flat(`${config?.name ?? ''} ${zh(isNew ? 'common.add' : 'common.edit')} ${record}`),
    ...(isShown(v)
      ? [
          `${folded.includes('g') ? '▸' : '▾'} g`,
          `faculty ${formatChosenNames(values['faculty'])}`,
          `major ${formatChosenNames(values['major'])}`,
        ]
      : []),
    ...Object.entries(waits).flatMap(([state, key]) => (on(state)(v) ? [zh(key)] : [])),
    ...Object.entries(stale?.choices ?? {}).map(([name, side]) =>
      [
        `${name} ${mark(side === 'mine')} ${sides[0]} ${formatChosenNames(values[name])}`,
        `${mark(side === 'theirs')} ${sides[1]} ${formatChosenNames(stale?.theirs[name])}`,
      ].join(' '),
    ),
    ...(Object.keys(stale?.choices ?? {}).length === 0 ? [] : sides),
  ]
}

function linesIn(user: TerminalUser): string {
  return [
    ...user
      .lines()
      .filter((line) => !isFoot(line))
      .map((line) => read.flat(line.replace(/❯| ▾$/g, ' ')))
      .filter((line) => line !== '' && !/^✗|^name \*/.test(line)),
    ...sides.filter((label) => user.keyFor(label) !== null),
  ].join('\n')
}

function formatChosenNames(value: WireValue | undefined): string {
  const names = Array.isArray(value)
    ? (value as readonly DictItem[]).map(({ name, id }) => name || id).join()
    : String(value ?? '')
  return names === '' ? '-' : names
}

/** Moves up to the first field, from the last one too; then acts there. */
function atName(act: (user: TerminalUser) => Promise<void>): TerminalGesture {
  return by.custom((user) => {
    if (!/name \*/.test(user.frame())) return null
    return (async () => {
      for (let i = 0; i < 4 && !/❯\s+name/.test(user.frame()); i += 1) await user.press('↑')
      await act(user)
    })()
  })
}
