import { t } from '@jiaowu/api'
import type { AdoptTablesEvent, adoptTablesMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { type AdoptActor, AdoptScreen } from '../../../apps/cli/src/screens/adopt/adopt-screen.tsx'
import type { TerminalScreen, TerminalUser } from '../../surfaces/terminal/screen.tsx'
import type { Spec } from '../spec.ts'
import { isUnseen } from './unseen.ts'

/** What a user reads of the tables on a terminal. */
export interface TerminalAdoptSeen {
  readonly isShown: boolean
  /** Each table with its mark and name. */
  readonly tables: string
  readonly keeps: boolean | null
  readonly owns: boolean | null
  readonly percent: number | null
  readonly details: string
  readonly says: string
  readonly problem: string
  readonly offers: string
}
type Snapshot = SnapshotFrom<typeof adoptTablesMachine>

const zh = (key: string, params?: Readonly<Record<string, string | number>>): string =>
  (t as (locale: 'zh-CN', key: string, params?: object) => string)('zh-CN', key, params)
const labels = {
  retry: zh('common.retry'),
  leave: zh('cli.key.leave'),
  move: zh('cli.key.move'),
  choose: zh('cli.key.choose'),
  all: zh('cli.key.schema', { schema: 'shop' }),
  rename: zh('cli.key.rename'),
  keeps: zh('cli.key.keeps'),
  owns: zh('cli.key.owns'),
}
const fixed = ['designs.adoptListing', 'designs.adoptNone'] as const
const tables = { CITY: 'shop.city', CUSTOMER: 'shop.customer' } as const

export function adoptOnTerminal(model: Spec<unknown>): Spec<TerminalAdoptSeen> {
  return {
    ...model,
    hidden: (snapshot, event) => isUnseen(snapshot as Snapshot, event as AdoptTablesEvent),
    project: (snapshot) => seenOf(snapshot as Snapshot),
  }
}

function seenOf(s: Snapshot): TerminalAdoptSeen {
  const { drafts, left, names, keeps, owns, done, tables: all } = s.context
  const isShown = isListed(s)
  const isAsked = isShown && isAskedOf(s)
  const [first] = drafts
  const fields = first?.definition.fields ?? []
  return {
    isShown: s.status !== 'done',
    tables: isShown
      ? drafts
          .map(
            ({ name, definition: { tag, name: own } }) =>
              `${left.includes(tag) ? '' : 'x'} shop.${name} ${names[tag] ?? own}`,
          )
          .join()
      : '',
    keeps: isAsked ? keeps : null,
    owns: isAsked ? owns : null,
    percent: s.matches({ drafting: 'reading' }) ? Math.round((100 * done) / all.length) : null,
    details:
      isShown && first !== undefined
        ? [
            first.key.join(),
            first.rows,
            fields.length,
            fields.filter(({ dictType }) => dictType === 1).length,
          ].join(' ')
        : '',
    says: saysOf(s).join('\n'),
    problem: problemOf(s),
    offers: offersOf(s).join(),
  }
}

const isListed = (s: Snapshot) => s.matches('choosing') || s.matches('saving')
const isAskedOf = ({ context: { drafts } }: Snapshot) => drafts.some(({ kept }) => kept)
const chosenOf = ({ context: { drafts, left } }: Snapshot) =>
  drafts.filter(({ definition }) => !left.includes(definition.tag))

function problemOf(s: Snapshot): string {
  const { problem } = s.context
  if (problem === null || !(isListed(s) || s.matches('failed'))) return ''
  const faults = problem.issues.map(
    ({ path, msg }) => `${path.split('.').slice(1).join('.')}: ${msg}`,
  )
  return faults.length > 0 ? faults.join() : String(problem.message)
}

function saysOf(s: Snapshot): readonly string[] {
  const { drafts, refused, done, tables: all } = s.context
  return [
    ...(s.matches({ drafting: 'listing' }) ? [zh(fixed[0])] : []),
    ...(s.matches('choosing') && drafts.length === 0 ? [zh(fixed[1])] : []),
    ...(s.matches({ drafting: 'reading' })
      ? [zh('designs.adoptDrafting', { done, total: all.length })]
      : []),
    ...(s.matches('saving') ? [zh('designs.adoptSaving', { n: chosenOf(s).length })] : []),
    ...(isListed(s)
      ? refused.map(({ schema, name, reason }) =>
          zh('designs.adoptRefused', { table: `${schema}.${name}`, reason }),
        )
      : []),
  ]
}

function offersOf(s: Snapshot): readonly string[] {
  const { drafts } = s.context
  const [first] = drafts
  const chosen = chosenOf(s)
  const open = [
    ...(drafts.length > 1 ? [labels.move] : []),
    ...(drafts.length > 0 ? [labels.choose] : []),
    ...(drafts.length > 1 ? [labels.all] : []),
    ...(first !== undefined && chosen.includes(first) ? [labels.rename] : []),
    ...(isAskedOf(s) ? [labels.keeps, labels.owns] : []),
    ...(chosen.length > 0 ? [zh('designs.adoptSave', { n: chosen.length })] : []),
  ]
  return [
    ...(s.matches('failed') ? [labels.retry] : []),
    ...(s.matches('choosing') ? open : []),
    ...(s.can({ type: 'adopt.leave' }) ? [labels.leave] : []),
  ]
}

export function adoptTerminal(): TerminalScreen<TerminalAdoptSeen> {
  return {
    element: (actor) => <AdoptScreen actor={actor as unknown as AdoptActor} locale="zh-CN" />,
    gesture: ({ event }, user) => gesture(event as AdoptTablesEvent, user),
    // The details are those of the table at the cursor, which reading puts at the top.
    read: async (user) => {
      while (user.frame().includes('❯ ') && !/❯ \[.\] \S+/.test(firstTable(user)))
        await user.press('↑')
      return read(user)
    },
  }
}

const tableLines = (user: TerminalUser) =>
  user
    .frame()
    .split('\n')
    .filter((line) => / \[[x ]\] shop\./.test(line))
const firstTable = (user: TerminalUser) => tableLines(user)[0] ?? '❯ [x] none'

function read(user: TerminalUser): TerminalAdoptSeen {
  const frame = user.frame()
  const answer = (key: string) =>
    user.says(`[x] ${zh(key)}`) ? true : user.says(`[ ] ${zh(key)}`) ? false : null
  // Keys that are no letters.
  const unlisted = [labels.move, labels.choose]
  const shownOf = (key: string, label: string) =>
    new RegExp(`(^|\\s)${key} ${label}(\\s|$)`, 'm').test(frame) ? [label] : []
  const facts = new RegExp(
    `${zh('designs.adoptKey')} (\\S+) · ${zh('designs.adoptRows')} (\\d+) · ${zh('designs.adoptFields')} (\\d+) · ${zh('designs.adoptLinks')} (\\d+)\\s*$`,
    'm',
  ).exec(frame)
  const percent = / (\d+)%/.exec(frame)?.[1]
  const counted = /\^s (保存 \d+ 个实体)(?=\s|$)/m.exec(frame)?.[1]
  return {
    isShown: user.says(zh('designs.adopt')),
    tables: tableLines(user)
      .map((line) =>
        line.replace(
          /^.*\[([x ])\] (\S+) +(.*?)\s*$/,
          (_, mark: string, table: string, name: string) => `${mark.trim()} ${table} ${name}`,
        ),
      )
      .join(),
    keeps: answer('designs.adoptKeeps'),
    owns: answer('designs.adoptOwns'),
    percent: percent === undefined ? null : Number(percent),
    details: facts === null ? '' : facts.slice(1, 5).join(' '),
    says: [
      ...fixed.map((key) => zh(key)).filter((text) => user.says(text)),
      ...[0, 1, 2]
        .map((done) => zh('designs.adoptDrafting', { done, total: 2 }))
        .filter((text) => user.says(text)),
      ...[1, 2].map((n) => zh('designs.adoptSaving', { n })).filter((text) => user.says(text)),
      ...Object.values(tables)
        .map((table) => zh('designs.adoptRefused', { table, reason: '表中没有可以使用的列' }))
        .filter((text) => user.says(text)),
    ].join('\n'),
    problem: /✗ (.*?)\s*$/m.exec(frame)?.[1] ?? '',
    offers: [
      labels.retry,
      ...shownOf('↓', labels.move),
      ...shownOf('space', labels.choose),
      labels.all,
      labels.rename,
      labels.keeps,
      labels.owns,
      ...(counted === undefined ? [] : [counted]),
      labels.leave,
    ]
      .filter((each) => unlisted.includes(each) || each === counted || user.keyFor(each) !== null)
      .join(),
  }
}

async function goTo(user: TerminalUser, tag: string): Promise<void> {
  const wanted = tables[tag as keyof typeof tables]
  const at = (text: string) => tableLines(user).findIndex((line) => line.includes(text))
  for (let step = at('❯') - at(wanted); step !== 0; step += step > 0 ? -1 : 1)
    await user.press(step > 0 ? '↑' : '↓')
}

function gesture(event: AdoptTablesEvent, user: TerminalUser): Promise<void> | null {
  const pressed = (label: string) => {
    const key = user.keyFor(label)
    return key === null ? null : user.press(key)
  }
  switch (event.type) {
    case 'table.choose':
      return event.tags.length > 1
        ? pressed(labels.all)
        : goTo(user, event.tags[0] ?? '').then(() => user.press(' '))
    case 'table.rename':
      return (async () => {
        await goTo(user, event.tag)
        await user.press('enter', '^u')
        await user.type(event.name)
        await user.press('enter')
      })()
    case 'kept.choose':
      return pressed(labels.keeps)
    case 'school.choose':
      return pressed(labels.owns)
    case 'adopt.retry':
      return pressed(labels.retry)
    case 'adopt.save':
      return user.frame().includes('^s 保存') ? user.press('^s') : null
    case 'adopt.leave':
      return pressed(labels.leave)
  }
}
