import { adoptTablesView } from '@jiaowu/machines/adopt-tables/view'
import { AdoptScreen } from '../../../apps/cli/src/screens/adopt/adopt-screen.tsx'
import {
  by,
  createTerminalDriver,
  on,
  showWhen,
  read,
  formatMessages,
  zh,
  type Shown,
  type TerminalGesture,
  type TerminalUser,
} from '../../surfaces/terminal/driver.ts'
import { adoptTablesModels } from './model.ts'
import { isUnseen } from './unseen.ts'

type View = Shown<typeof adoptTablesView>
const tables: Readonly<Record<string, string>> = { CITY: 'shop.city', CUSTOMER: 'shop.customer' }
const all = zh('cli.key.schema', { schema: 'shop' })
const facts = (
  ['designs.adoptKey', 'designs.adoptRows', 'designs.adoptFields', 'designs.adoptLinks'] as const
).map((name) => zh(name))

const isListed = on('choosing', 'saving')
const [isChoosing, isReading] = [on('choosing'), on('drafting.reading')]
const lists = (v: View, least: number) => isChoosing(v) && v.c.drafts.length >= least
const listChosenDrafts = ({ c: { drafts, left } }: View) =>
  drafts.filter(({ definition }) => !left.includes(definition.tag))
const isAsked = (v: View) => isListed(v) && v.c.drafts.some(({ kept }) => kept)

export const driver = createTerminalDriver({
  model: adoptTablesModels,
  view: adoptTablesView,
  isGone: [({ s }) => s.status === 'done', (user) => !user.says(zh('designs.adopt'))],
  // The details are those of the table at the cursor, which reading puts at the top.
  before: async (user) => {
    while (user.frame().includes('❯ ') && tableLines(user)[0]?.includes('❯') === false)
      await user.press('↑')
  },
  readings: {
    tables: [showWhen(isListed, formatTables), (user) => tableLines(user).map(tableIn).join()],
    details: [showWhen(isListed, formatDetails), read.match(detailsPattern())],
    keeps: [(v) => (isAsked(v) ? v.c.keeps : null), box(zh('designs.adoptKeeps'))],
    owns: [(v) => (isAsked(v) ? v.c.owns : null), box(zh('designs.adoptOwns'))],
    relates: [(v) => (isAsked(v) ? v.c.relates : null), box(zh('designs.adoptRelates'))],
    writes: [(v) => (isAsked(v) ? v.c.writesPasswords : null), box(zh('designs.adoptPasswords'))],
    percent: [
      (v) => (isReading(v) ? Math.round((100 * v.c.done) / v.c.tables.length) : null),
      read.number(/ (\d+)%/),
    ],
    problem: [
      showWhen(on('choosing', 'saving', 'failed'), ({ problem }) => {
        const faults = (problem?.issues ?? []).map(
          ({ path, msg }) => `${path.split('.').slice(1).join('.')}: ${msg}`,
        )
        return faults.length > 0 ? faults.join() : formatMessages(problem)
      }),
      read.red,
    ],
    save: [
      showWhen(isChoosing, (v: View) => {
        const n = listChosenDrafts(v).length
        return n > 0 ? zh('designs.adoptSave', { n }) : ''
      }),
      read.match(/\^s (保存 \d+ 个实体)(?=\s|$)/m),
    ],
  },
  says: {
    'designs.adoptListing': on('drafting.listing'),
    'designs.adoptNone': (v) => isChoosing(v) && v.c.drafts.length === 0,
    'designs.adoptDrafting': (v) => isReading(v) && { done: v.c.done, total: v.c.tables.length },
    'designs.adoptSaving': (v) => v.s.matches('saving') && { n: listChosenDrafts(v).length },
    'designs.adoptRefused': (v) =>
      isListed(v) &&
      v.c.refused.map(({ schema, name, reason }) => ({ table: `${schema}.${name}`, reason })),
  },
  hints: {
    [zh('cli.key.move')]: (v) => lists(v, 2),
    [zh('cli.key.choose')]: (v) => lists(v, 1),
    [all]: (v) => lists(v, 2),
    [zh('cli.key.rename')]: (v) => {
      const [first] = v.c.drafts
      return isChoosing(v) && first !== undefined && listChosenDrafts(v).includes(first)
    },
    [zh('cli.key.keeps')]: (v) => isChoosing(v) && isAsked(v),
    [zh('cli.key.owns')]: (v) => isChoosing(v) && isAsked(v),
    [zh('cli.key.links')]: (v) => isChoosing(v) && isAsked(v),
    [zh('cli.key.passwords')]: (v) => isChoosing(v) && isAsked(v),
  },
  gestures: {
    'table.choose': ({ tags }) =>
      tags.length > 1 ? by.unlistedKey(all) : actAtTable(tags[0], (user) => user.press('space')),
    'table.rename': ({ tag, name }) =>
      actAtTable(tag, async (user) => {
        await user.press('enter')
        await by.typeOver(user, name)
        await user.press('enter')
      }),
    'kept.choose': by.unlistedKey(zh('cli.key.keeps')),
    'school.choose': by.unlistedKey(zh('cli.key.owns')),
    'links.choose': by.unlistedKey(zh('cli.key.links')),
    'passwords.choose': by.unlistedKey(zh('cli.key.passwords')),
    'adopt.retry': by.key(zh('common.retry')),
    'adopt.save': by.custom((user) => (user.frame().includes('^s 保存') ? user.press('^s') : null)),
    'adopt.leave': by.key(zh('cli.key.leave')),
  },
  hidden: ({ s }, event) => isUnseen(s, event),
  screen: AdoptScreen,
})

function formatTables({ c: { drafts, left, names } }: View): string {
  return drafts
    .map(({ name, definition: { tag, name: own } }) =>
      [left.includes(tag) ? '' : 'x', `shop.${name}`, names[tag] ?? own].join(' '),
    )
    .join()
}

function tableLines(user: TerminalUser): readonly string[] {
  return user.lines().filter((line) => / \[[x ]\] shop\./.test(line))
}

function tableIn(line: string): string {
  const [, mark = '', table = '', name = ''] = /\[([x ])\] (\S+) +(.*?)\s*$/.exec(line) ?? []
  return `${mark.trim()} ${table} ${name}`
}

function formatDetails({ c: { drafts, relates } }: View): string {
  const [first] = drafts
  if (first === undefined) return ''
  const { fields } = relates && first.links ? first.links : first.definition
  const links = fields.filter(({ dictType }) => dictType === 1)
  const counts = [first.key.join(), first.rows, fields.length, links.length]
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
function actAtTable(
  tag: string | undefined,
  act: (user: TerminalUser) => Promise<void>,
): TerminalGesture {
  const wanted = tables[tag ?? ''] ?? ''
  const lineOf = (user: TerminalUser, text: string) =>
    tableLines(user).findIndex((line) => line.includes(text))
  return by.custom(async (user) => {
    for (let step = lineOf(user, '❯') - lineOf(user, wanted); step !== 0; step -= Math.sign(step))
      await user.press(step > 0 ? '↑' : '↓')
    await act(user)
  })
}
