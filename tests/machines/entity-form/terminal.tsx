import { messageText, t, type WireValue } from '@jiaowu/api'
import type { entityFormMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { type FormActor, FormScreen } from '../../../apps/cli/src/screens/form/form-screen.tsx'
import type { UserStep } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import type { TerminalUser, TerminalScreen } from '../../surfaces/terminal/screen.tsx'
import { isFoot } from '../../surfaces/terminal/terminal-mutants.ts'

/** What the terminal shows of a form. */
export interface TerminalFormSeen {
  readonly step: string
  readonly name: string | null
  readonly faults: string
  readonly problem: string | null
  readonly stale: string | null
  readonly offers: string
  /** The other lines. */
  readonly lines: string
}

type Snapshot = SnapshotFrom<typeof entityFormMachine>
const labels = {
  'form.submit': '保存',
  'form.retry': '重试',
  'form.leave': '离开',
  'leave.confirm': '确定',
  'leave.cancel': '取消',
  'stale.save': '保存',
  'stale.cancel': '取消',
} as const

const flat = (line: string): string => line.replaceAll(/\s+/g, ' ').trim()
const sideKeys = [zh('cli.stale.mine'), zh('cli.stale.theirs')]
const mark = (isChosen: boolean): string => (isChosen ? '(•)' : '( )')

export function formOnTerminal(model: Spec<unknown>): Spec<TerminalFormSeen> {
  return {
    ...model,
    project: (snapshot) => {
      const s = snapshot as Snapshot
      const step = stepOf(s)
      const { values, faults, problem, stale } = s.context
      const shown = ['editing', 'leaving', 'saving'].includes(step)
      const ended = step === 'saved' || step === 'left'
      // The question is shown under the form, whose own keys wait.
      const offered = (Object.keys(labels) as (keyof typeof labels)[]).filter((type) =>
        s.can({ type } as Parameters<Snapshot['can']>[0]),
      )
      return {
        step: ended ? 'gone' : step,
        name: shown ? String(values.name ?? '') : null,
        faults: shown
          ? Object.values(faults)
              .map(({ message }) =>
                typeof message === 'string' ? message : messageText('zh-CN', message),
              )
              .join()
          : '',
        problem: (shown || step === 'failed') && problem !== null ? String(problem.message) : null,
        stale:
          step === 'stale'
            ? Object.entries(stale?.choices ?? {})
                .map(([name, side]) => `${name}:${side}`)
                .join()
            : null,
        offers: ended ? '' : [...new Set(offered.map((type) => labels[type]))].sort().join(),
        lines: linesOf(s, step).join('\n'),
      }
    },
  }
}

function stepOf({ value }: Snapshot): string {
  return typeof value === 'string'
    ? value
    : (value as { editing: string }).editing === 'leaving'
      ? 'leaving'
      : 'editing'
}

/** The lines that must be shown: title, fields, what is waited for or asked. */
function linesOf(s: Snapshot, step: string): readonly string[] {
  const { config, row, values, input, stale, folded } = s.context
  const title = flat(
    `${config?.name ?? ''} ${zh(input.id === null ? 'common.add' : 'common.edit')} ${[input.id === null ? null : row?.['name'], row?.id].filter(Boolean).join(' · ')}`,
  )
  const fields = ['editing', 'leaving', 'saving'].includes(step)
    ? [
        `${folded.includes('g') ? '▸' : '▾'} g`,
        `faculty ${nameOf(values.faculty)}`,
        `major ${nameOf(values.major)}`,
      ]
    : []
  const sides =
    stale === null
      ? []
      : Object.entries(stale.choices).map(
          ([name, side]) =>
            `${name} ${mark(side === 'mine')} ${zh('cli.stale.mine')} ${nameOf(values[name])} ${mark(side === 'theirs')} ${zh('cli.stale.theirs')} ${nameOf(stale.theirs[name])}`,
        )
  return [
    title,
    ...fields,
    ...(step === 'loading' ? [zh('common.loading')] : []),
    ...(step === 'saving' ? [zh('cli.savingRow')] : []),
    ...(step === 'leaving' ? [zh('form.leave')] : []),
    ...(step === 'stale'
      ? [zh('cli.stale.title'), ...sides, ...(sides.length === 0 ? [] : sideKeys)]
      : []),
  ]
}

function zh(key: Parameters<typeof t>[1]): string {
  return (t as (locale: 'zh-CN', key: string) => string)('zh-CN', key)
}

function nameOf(value: WireValue | undefined): string {
  return (
    (value !== null && typeof value === 'object'
      ? [value]
          .flat()
          .map((each) =>
            ((one: { name?: string | null; id?: string }) => one.name || one.id || '')(
              each as object,
            ),
          )
          .join()
      : String(value ?? '')) || '-'
  )
}

export function formTerminal(): TerminalScreen<TerminalFormSeen> {
  return {
    element: (actor) => (
      <FormScreen
        actor={actor as unknown as FormActor}
        locale="zh-CN"
        find={() => Promise.resolve([])}
      />
    ),
    gesture: (step, user) => gesture(step, user),
    read,
  }
}

function gesture({ event }: UserStep, user: TerminalUser): Promise<void> | null {
  const step = stepIn(user.frame())
  const key = event.type in labels ? user.keyFor(labels[event.type as keyof typeof labels]) : null
  switch (event.type) {
    case 'field.change':
      return step !== 'editing'
        ? null
        : (async () => {
            await toName(user)
            await user.press('^u')
            const { value } = event as unknown as { value: string }
            if (value !== '') await user.type(value)
          })()
    case 'field.blur':
      return step !== 'editing'
        ? null
        : (async () => {
            await toName(user)
            await user.press('↓')
          })()
    case 'leave.cancel':
      return step === 'leaving' ? user.press('n') : null
    case 'stale.choose':
      return step === 'stale'
        ? user.press((event as unknown as { side: string }).side === 'mine' ? '←' : '→')
        : null
    case 'stale.save':
    case 'stale.cancel':
      return step === 'stale' && key !== null ? user.press(key) : null
    case 'leave.confirm':
      return step === 'leaving' ? user.press('y') : null
    default:
      return key === null || step === 'stale' || step === 'leaving' ? null : user.press(key)
  }
}

function stepIn(frame: string): string {
  if (frame.includes('逐项选择')) return 'stale'
  if (frame.includes('确定离开吗')) return 'leaving'
  if (frame.includes('正在保存')) return 'saving'
  if (/name \*/.test(frame)) return 'editing'
  return frame.includes('加载中') ? 'loading' : frame.includes('✗') ? 'failed' : 'gone'
}

/** Moves up to the first field; going on from the last one stays there. */
async function toName(user: TerminalUser): Promise<void> {
  for (let i = 0; i < 4 && !/❯\s+name/.test(user.frame()); i += 1) await user.press('↑')
}

function read(user: TerminalUser): Promise<TerminalFormSeen> {
  const frame = user.frame()
  const step = stepIn(frame)
  const shown = ['editing', 'leaving', 'saving'].includes(step)
  const red = redIn(frame)
  return Promise.resolve({
    step,
    name: shown ? (/name \*[^\S\n]*(\S*)/.exec(frame)?.[1] ?? '').replace(/^-$/, '') : null,
    faults: red.filter((text) => !/^m\d+$/.test(text)).join(),
    problem: red.find((text) => /^m\d+$/.test(text)) ?? null,
    stale:
      step === 'stale'
        ? [...frame.matchAll(/^\s*(?:❯\s+)?(\S+) {2}(\(•\)|\( \)) 我的/gm)]
            .map(([, name, mark]) => `${name}:${mark === '(•)' ? 'mine' : 'theirs'}`)
            .join()
        : null,
    offers: [...new Set(Object.values(labels))]
      .filter((label) => user.keyFor(label) !== null)
      .sort()
      .join(),
    lines: [
      ...frame
        .split('\n')
        .filter((line) => !isFoot(line))
        .map((line) => flat(line.replace(/❯| ▾$/g, ' ')))
        .filter((line) => line !== '' && !/^✗|^name \*/.test(line)),
      ...sideKeys.filter((label) => user.keyFor(label) !== null),
    ].join('\n'),
  })
}

/** Problems of the samples are named m503 and the like; the other red lines belong to fields. */
function redIn(frame: string): string[] {
  return [...frame.matchAll(/✗ (.+)/g)].map(([, text]) => (text ?? '').trim())
}
