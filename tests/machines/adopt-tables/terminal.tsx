import type { AdoptTablesEvent, adoptTablesMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { type AdoptActor, AdoptScreen } from '../../../apps/cli/src/screens/adopt/adopt-screen.tsx'
import { zh } from '../../surfaces/sentences.ts'
import {
  custom,
  key,
  type TerminalGesture,
  typeOver,
  unlisted,
} from '../../surfaces/terminal/gestures.ts'
import { redLines, seen, seenNumber } from '../../surfaces/terminal/reads.ts'
import type { TerminalUser } from '../../surfaces/terminal/screen.tsx'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { adoptTablesModels } from './model.ts'
import { isUnseen } from './unseen.ts'

type Snapshot = SnapshotFrom<typeof adoptTablesMachine>
const tables = { CITY: 'shop.city', CUSTOMER: 'shop.customer' } as const
const [retry, leave] = [zh('common.retry'), zh('cli.key.leave')]
const all = zh('cli.key.schema', { schema: 'shop' })
const facts = (
  ['designs.adoptKey', 'designs.adoptRows', 'designs.adoptFields', 'designs.adoptLinks'] as const
).map((name) => zh(name))

const isListed = (s: Snapshot) => s.matches('choosing') || s.matches('saving')
const isAsked = (s: Snapshot) => isListed(s) && s.context.drafts.some(({ kept }) => kept)
const chosenOf = ({ context: { drafts, left } }: Snapshot) =>
  drafts.filter(({ definition }) => !left.includes(definition.tag))
const isChoosing = (s: Snapshot, tablesAtLeast: number) =>
  s.matches('choosing') && s.context.drafts.length >= tablesAtLeast
const isReading = (s: Snapshot) => s.matches({ drafting: 'reading' })

export const adoptTerminal = terminalDriverOf<Snapshot, AdoptTablesEvent, Snapshot>({
  model: adoptTablesModels,
  view: (s) => s,
  isGone: { model: (s) => s.status === 'done', screen: (user) => !user.says(zh('designs.adopt')) },
  // The details are those of the table at the cursor, which reading puts at the top.
  before: async (user) => {
    while (user.frame().includes('❯ ') && tableLines(user)[0]?.includes('❯') === false)
      await user.press('↑')
  },
  readings: {
    tables: { model: tablesOf, screen: (user) => tableLines(user).map(tableIn).join() },
    details: { model: detailsOf, screen: seen(detailsPattern()) },
    keeps: {
      model: (s) => (isAsked(s) ? s.context.keeps : null),
      screen: answer(zh('designs.adoptKeeps')),
    },
    owns: {
      model: (s) => (isAsked(s) ? s.context.owns : null),
      screen: answer(zh('designs.adoptOwns')),
    },
    percent: {
      model: (s) =>
        isReading(s) ? Math.round((100 * s.context.done) / s.context.tables.length) : null,
      screen: seenNumber(/ (\d+)%/),
    },
    problem: { model: problemOf, screen: redLines },
    save: {
      model: (s) => {
        const n = chosenOf(s).length
        return s.matches('choosing') && n > 0 ? zh('designs.adoptSave', { n }) : ''
      },
      screen: seen(/\^s (保存 \d+ 个实体)(?=\s|$)/m),
    },
  },
  says: {
    'designs.adoptListing': (s) => s.matches({ drafting: 'listing' }),
    'designs.adoptNone': (s) => s.matches('choosing') && s.context.drafts.length === 0,
    'designs.adoptDrafting': (s) =>
      isReading(s) && { done: s.context.done, total: s.context.tables.length },
    'designs.adoptSaving': (s) => s.matches('saving') && { n: chosenOf(s).length },
    'designs.adoptRefused': (s) =>
      isListed(s) &&
      s.context.refused.map(({ schema, name, reason }) => ({ table: `${schema}.${name}`, reason })),
  },
  hints: {
    [zh('cli.key.move')]: (s) => isChoosing(s, 2),
    [zh('cli.key.choose')]: (s) => isChoosing(s, 1),
    [all]: (s) => isChoosing(s, 2),
    [zh('cli.key.rename')]: (s) => {
      const [first] = s.context.drafts
      return s.matches('choosing') && first !== undefined && chosenOf(s).includes(first)
    },
    [zh('cli.key.keeps')]: (s) => s.matches('choosing') && isAsked(s),
    [zh('cli.key.owns')]: (s) => s.matches('choosing') && isAsked(s),
  },
  gestures: {
    'table.choose': ({ tags }) => (tags.length > 1 ? unlisted(key(all)) : at(tags[0], ['space'])),
    'table.rename': ({ tag, name }) => at(tag, ['enter'], name),
    'kept.choose': unlisted(key(zh('cli.key.keeps'))),
    'school.choose': unlisted(key(zh('cli.key.owns'))),
    'adopt.retry': key(retry),
    'adopt.save': custom((user) => (user.frame().includes('^s 保存') ? user.press('^s') : null)),
    'adopt.leave': key(leave),
  },
  hidden: isUnseen,
  element: (actor) => <AdoptScreen actor={actor as unknown as AdoptActor} locale="zh-CN" />,
})

function tablesOf(s: Snapshot): string {
  const { drafts, left, names } = s.context
  return !isListed(s)
    ? ''
    : drafts
        .map(
          ({ name, definition: { tag, name: own } }) =>
            `${left.includes(tag) ? '' : 'x'} shop.${name} ${names[tag] ?? own}`,
        )
        .join()
}

function tableLines(user: TerminalUser): readonly string[] {
  return user
    .frame()
    .split('\n')
    .filter((line) => / \[[x ]\] shop\./.test(line))
}

function tableIn(line: string): string {
  const [, mark = '', table = '', name = ''] = /\[([x ])\] (\S+) +(.*?)\s*$/.exec(line) ?? []
  return `${mark.trim()} ${table} ${name}`
}

function detailsOf(s: Snapshot): string {
  const [first] = s.context.drafts
  if (!isListed(s) || first === undefined) return ''
  const { fields } = first.definition
  const links = fields.filter(({ dictType }) => dictType === 1)
  const counts = [first.key.join(), first.rows, fields.length, links.length]
  return counts.map((count, index) => `${facts[index]} ${count}`).join(' · ')
}

function detailsPattern(): RegExp {
  const values = facts.map((name) => `${name} \\S+`)
  return new RegExp(`(${values.join(' · ')})\\s*$`, 'm')
}

function problemOf(s: Snapshot): string {
  const { problem } = s.context
  if (problem === null || !(isListed(s) || s.matches('failed'))) return ''
  const faults = problem.issues.map(
    ({ path, msg }) => `${path.split('.').slice(1).join('.')}: ${msg}`,
  )
  return faults.length > 0 ? faults.join() : String(problem.message)
}

/** The box before a question; null when it is not asked. */
function answer(text: string) {
  return (user: TerminalUser) =>
    user.says(`[x] ${text}`) ? true : user.says(`[ ] ${text}`) ? false : null
}

/** Moves the cursor to a table and presses keys there; then types a name. */
function at(tag: string | undefined, keys: readonly string[], name?: string): TerminalGesture {
  const wanted = tables[tag as keyof typeof tables]
  const lineOf = (user: TerminalUser, text: string) =>
    tableLines(user).findIndex((line) => line.includes(text))
  return custom(async (user) => {
    for (let step = lineOf(user, '❯') - lineOf(user, wanted); step !== 0; step -= Math.sign(step))
      await user.press(step > 0 ? '↑' : '↓')
    await user.press(...keys)
    if (name === undefined) return
    await typeOver(user, name)
    await user.press('enter')
  })
}
