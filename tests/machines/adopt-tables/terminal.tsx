import { adoptTablesView } from '@jiaowu/machines'
import { AdoptScreen } from '../../../apps/cli/src/screens/adopt/adopt-screen.tsx'
import { by, driverOf, on, only, read, told, zh } from '../../surfaces/terminal/driver.ts'
import type { Shown, TerminalGesture, TerminalUser } from '../../surfaces/terminal/driver.ts'
import { adoptTablesModels } from './model.ts'
import { isUnseen } from './unseen.ts'

type View = Shown<typeof adoptTablesView>
const tables: Readonly<Record<string, string>> = { CITY: 'shop.city', CUSTOMER: 'shop.customer' }
const all = zh('cli.key.schema', { schema: 'shop' })
const facts = (
  ['designs.adoptKey', 'designs.adoptRows', 'designs.adoptFields', 'designs.adoptLinks'] as const
).map((name) => zh(name))

const isListed = on('choosing', 'saving')
const isChoosing = ({ step, rows }: View, least = 1) => step === 'choosing' && rows.length >= least
const isAsked = (v: View) => isChoosing(v) && v.c.drafts.some(({ kept }) => kept)

export const driver = driverOf({
  model: adoptTablesModels,
  view: adoptTablesView,
  isGone: [({ step }) => step === 'over', (user) => !user.says(zh('designs.adopt'))],
  // The details are those of the table at the cursor, which reading puts at the top.
  before: async (user) => {
    while (user.frame().includes('❯ ') && tableLines(user)[0]?.includes('❯') === false)
      await user.press('↑')
  },
  readings: {
    tables: [only(isListed, tablesOf), (user) => tableLines(user).map(tableIn).join()],
    details: [only(isListed, detailsOf), read.match(detailsPattern())],
    keeps: [(v) => (isListed(v) ? v.keeps : null), box(zh('designs.adoptKeeps'))],
    owns: [(v) => (isListed(v) ? v.owns : null), box(zh('designs.adoptOwns'))],
    percent: [
      ({ progress }) => progress && Math.round((100 * progress.done) / progress.total),
      read.number(/ (\d+)%/),
    ],
    problem: [
      only(on('choosing', 'saving', 'failed'), ({ faults, problem }) =>
        faults.length > 0 ? faults.join() : told(problem),
      ),
      read.red,
    ],
    save: [
      only(isChoosing, ({ chosen: n }) => (n > 0 ? zh('designs.adoptSave', { n }) : '')),
      read.match(/\^s (保存 \d+ 个实体)(?=\s|$)/m),
    ],
  },
  says: {
    'designs.adoptListing': ({ s }) => s.matches({ drafting: 'listing' }),
    'designs.adoptNone': ({ step, rows }) => step === 'choosing' && rows.length === 0,
    'designs.adoptDrafting': ({ progress }) => progress,
    'designs.adoptSaving': ({ step, chosen }) => step === 'saving' && { n: chosen },
    'designs.adoptRefused': (v) => isListed(v) && v.refused,
  },
  hints: {
    [zh('cli.key.move')]: (v) => isChoosing(v, 2),
    [zh('cli.key.choose')]: (v) => isChoosing(v),
    [all]: (v) => isChoosing(v, 2),
    [zh('cli.key.rename')]: (v) => isChoosing(v) && v.rows[0]?.isChosen === true,
    [zh('cli.key.keeps')]: isAsked,
    [zh('cli.key.owns')]: isAsked,
  },
  gestures: {
    'table.choose': ({ tags }) =>
      tags.length > 1 ? by.unlistedKey(all) : at(tags[0], (user) => user.press('space')),
    'table.rename': ({ tag, name }) =>
      at(tag, async (user) => {
        await user.press('enter')
        await by.typeOver(user, name)
        await user.press('enter')
      }),
    'kept.choose': by.unlistedKey(zh('cli.key.keeps')),
    'school.choose': by.unlistedKey(zh('cli.key.owns')),
    'adopt.retry': by.key(zh('common.retry')),
    'adopt.save': by.custom((user) => (user.frame().includes('^s 保存') ? user.press('^s') : null)),
    'adopt.leave': by.key(zh('cli.key.leave')),
  },
  hidden: ({ s }, event) => isUnseen(s, event),
  screen: AdoptScreen,
})

function tablesOf({ rows }: View): string {
  return rows.map(({ isChosen, table, name }) => `${isChosen ? 'x' : ''} ${table} ${name}`).join()
}

function tableLines(user: TerminalUser): readonly string[] {
  return user.lines().filter((line) => / \[[x ]\] shop\./.test(line))
}

function tableIn(line: string): string {
  const [, mark = '', table = '', name = ''] = /\[([x ])\] (\S+) +(.*?)\s*$/.exec(line) ?? []
  return `${mark.trim()} ${table} ${name}`
}

function detailsOf({ rows: [first] }: View): string {
  if (first === undefined) return ''
  const counts = [first.key.join(), first.rows, first.fields, first.links]
  return counts.map((count, index) => `${facts[index]} ${count}`).join(' · ')
}

function detailsPattern(): RegExp {
  const values = facts.map((name) => `${name} \\S+`)
  return new RegExp(`(${values.join(' · ')})\\s*$`, 'm')
}

/** The box before a question; null when it is not asked. */
function box(text: string) {
  return (user: TerminalUser) =>
    user.says(`[x] ${text}`) ? true : user.says(`[ ] ${text}`) ? false : null
}

/** Moves the cursor to a table, then acts there. */
function at(tag: string | undefined, act: (user: TerminalUser) => Promise<void>): TerminalGesture {
  const wanted = tables[tag ?? ''] ?? ''
  const lineOf = (user: TerminalUser, text: string) =>
    tableLines(user).findIndex((line) => line.includes(text))
  return by.custom(async (user) => {
    for (let step = lineOf(user, '❯') - lineOf(user, wanted); step !== 0; step -= Math.sign(step))
      await user.press(step > 0 ? '↑' : '↓')
    await act(user)
  })
}
