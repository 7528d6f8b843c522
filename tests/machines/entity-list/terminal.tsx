import { limits } from '@jiaowu/api/limits'
import { shownEstimate } from '@jiaowu/api/entity/values'
import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { groupName } from '@jiaowu/machines/entity-list/figures'
import { useEffect, useState } from 'react'
import {
  createListNotices,
  listenForNotices,
} from '../../../apps/cli/src/screens/list/list-notices.ts'
import type { ListScreenProps } from '../../../apps/cli/src/screens/list/list-props.ts'
import { ListScreen } from '../../../apps/cli/src/screens/list/list-screen.tsx'
import { answering } from '../../surfaces/samples.ts'
import {
  by,
  createTerminalDriver,
  formatMessages,
  read,
  showWhen,
  type TerminalGesture,
  type TerminalUser,
  zh,
} from '../../surfaces/terminal/driver.ts'
import type { Spec } from '../spec.ts'
import { listModel } from './list-model.ts'
import { entityListModels } from './model.ts'
import { asking } from './samples.ts'
import { savedViews } from './saved-views.ts'
import {
  columnsIn,
  hasLines,
  hasQuestion,
  isDeleting,
  isFailed,
  isFree,
  isList,
  keys,
  listLines,
  user,
  type View,
  buildUserView,
} from './terminal-keys.ts'
import { adaptToTerminal, toldUndo } from './terminal-model.ts'

/** Parts of the model for which a terminal has no keys, each with the reason. */
const webOnly: Readonly<Record<string, string>> = {
  where: 'conditions in groups are typed as `--where` of the command',
  table: 'the command prints tables of groups (`--cross`, `--having`)',
  frozen: 'a terminal scrolls by columns, so none is frozen',
  address: 'a terminal has no address: options of the command open the list',
  return: 'a terminal has no Back',
  returnChosen: 'a terminal has no Back',
}
const sorting = listModel(['sort.cycle'], 'multi')
const parts = {
  ...Object.fromEntries(
    Object.entries(entityListModels.parts).filter(([name]) => !(name in webOnly)),
  ),
  /** Columns that sort beside another. */
  sorts: {
    ...sorting,
    events: {
      ...sorting.events,
      'sort.cycle': { name: { column: 'name' }, more: { column: 'no', multi: true } },
    },
  },
}

/** Events that a terminal has no key for, each with the reason. */
const noKeys: Readonly<Record<string, string>> = {
  'query.search': 'a typed condition searches at once, as the model of the terminal does too',
  'query.reset': '`c` removes the conditions; the list without a view is among the views',
  'where.apply': 'conditions in groups are typed as `--where` of the command',
  'address.show': 'a terminal has no Back',
  'sort.set': '`s` sorts by a column in turn: upwards, downwards, not',
  'group.rows': 'the command prints tables of groups',
  'freeze.set': 'a terminal scrolls by columns, so none is frozen',
  'figures.ask': 'the machine itself asks for figures',
}

const { confirm: _question, ...plain } = asking
const button: Button = { ...plain, code: 'go', name: '按钮go' }

/** A row of the list, which may be chosen. */
const rowLine = /^(\[[x ]\] )?n([a-c])(?: |$)/

export const driver = createTerminalDriver({
  model: { ...entityListModels, parts },
  adapt: adaptSpec,
  view: buildUserView,
  before: moveToTop,
  readings: {
    title: [
      (v) =>
        v.config === null
          ? ''
          : read.flat(`${v.config.name} ${v.config.tag} ${formatConditions(v)}`),
      (shown) => read.flat(shown.lines()[0] ?? ''),
    ],
    heads: [
      showWhen(hasLines, (v) =>
        columnsIn(v)
          .map((name) => {
            const at = v.sorts.findIndex(({ column }) => column === name)
            const place = v.sorts.length > 1 ? at + 1 : ''
            return at < 0 ? name : `${name} ${v.sorts[at]?.asc === true ? '↑' : '↓'}${place}`
          })
          .join(' '),
      ),
      (shown) => read.flat(/^ +(name(?: [↑↓]\d?)? +no.*)$/m.exec(shown.frame())?.[1] ?? ''),
    ],
    rows: [formatRows, readShownLines],
    page: [
      showWhen(isList, ({ pageNum, pages }) => `${pageNum} / ${Math.max(1, pages)}`),
      read.match(/ (\d+ \/ \d+)(?: |$)/m),
    ],
    figures: [
      showWhen(isList, ({ figures }) =>
        figures.map(({ column, fn, value }) => `${column} ${zh(`figure.${fn}`)} ${value}`).join(),
      ),
      read.match(/^ *(mark \S+ \S+) *$/m),
    ],
    question: [
      (v) => (isDeleting(v) ? formatDeletion(v) : v.question === null ? '' : String(v.question)),
      read.match(/^ *((?:删除|按下).*？.*?) *$/m),
    ],
    answers: [(v) => (hasQuestion(v) ? 'y n' : v.exporting === null ? '' : 'esc'), readAnswers],
    red: [formatRed, read.red],
    keys: [
      (v) =>
        hasQuestion(v)
          ? ''
          : keys
              .filter(({ works }) => works(v))
              .map(({ key, label }) => `${key} ${label}`)
              .join('\n'),
      readHelp,
    ],
  },
  says: {
    'common.loading': (v) =>
      v.step === 'opening' ||
      v.step === 'loading' ||
      v.step === 'deleting' ||
      (isList(v) && v.pressing !== null),
    'list.noHit': ({ blank }) => blank === 'noHit',
    'list.nothingYet': ({ blank }) => blank === 'nothing' && { name: '甲' },
    'group.more': ({ moreGroups }) => moreGroups && { n: limits.maxGroups },
    'pager.total': (v) =>
      isList(v) && (v.total === null || !v.totalIsEstimate) && { total: v.total ?? '—' },
    'pager.about': (v) =>
      isList(v) && v.total !== null && v.totalIsEstimate && { total: shownEstimate(v.total) },
    'chosen.page': (v) =>
      isList(v) && v.matching === null && v.chosen > 0 && v.elsewhere === 0 && { n: v.chosen },
    'chosen.pages': (v) =>
      isList(v) &&
      v.matching === null &&
      v.elsewhere > 0 && { n: v.chosen, elsewhere: v.elsewhere },
    'chosen.matching': (v) => v.matching?.length === 0 && { n: v.chosen },
    'chosen.but': ({ matching, chosen }) =>
      matching !== null && matching.length > 0 && { n: chosen, except: matching.length },
    'list.exporting': (v) =>
      isList(v) && v.exporting !== null && { size: `${v.exporting.bytes} B` },
  },
  hints: {
    ...listedKeys(),
    [zh('cli.list.keys')]: isFree,
    [zh('cli.key.leave')]: (v) => isFree(v) && v.exporting === null,
  },
  gestures: {
    // The field is chosen and the value typed; the list is searched at once.
    'query.change': ({ attrName, value }) => pick('/', attrName, String(value)),
    'condition.remove': ({ attrName }) => pick('/', attrName, ''),
    'conditions.clear': press('c'),
    'sort.cycle': ({ column, multi }) => pick(multi === true ? 'S' : 's', column),
    'view.apply': pick('v', '视图甲'),
    'group.set': ({ group }) =>
      group === null
        ? pick('g', zh('group.none'))
        : pick(
            'g',
            `${group.column}${group.by === undefined ? '' : ` ${zh(`group.${group.by}`)}`}`,
          ),
    'group.toggle': ({ key }) => atLine(`group ${key}`, (shown) => shown.press('enter')),
    'groups.toggle': press('G'),
    'footer.set': ({ column, fn }) => pick('f', column, zh(`figure.${fn ?? 'none'}`)),
    'page.go': ({ pageNum }) =>
      by.custom((shown, actor) => {
        const now = (actor.getSnapshot() as View['s']).context.pageNum
        return shown.press(pageNum > now ? '→' : '←')
      }),
    'page.resize': ({ pageSize }) => pick('z', String(pageSize)),
    'row.toggle': ({ id }) => atLine(id, (shown) => shown.press('space')),
    'rows.toggle': press('a'),
    'selection.all': press('A'),
    'selection.clear': press('x'),
    'list.refresh': press('r'),
    'delete.ask': ({ id }) => (id === undefined ? press('d') : atLine(id, askDeletion)),
    'delete.confirm': press('y'),
    'delete.cancel': press('n'),
    'press.confirm': press('y'),
    'press.cancel': press('n'),
    'export.start': ({ format }) => pick('E', zh(`export.${format}`)),
    'export.cancel': press('esc'),
    'button.press': ({ code }) => pick('b', `按钮${code}`),
    'undo.press': press('u'),
    // The form of a record has saved it; bytes of a file arrive.
    'row.saved': by.sendEvent,
    'export.progress': by.sendEvent,
    ...by.gestureForEach(
      by.noKey,
      'query.search',
      'query.reset',
      'where.apply',
      'address.show',
      'sort.set',
      'group.rows',
      'freeze.set',
      'figures.ask',
    ),
  },
  hidden: (v, event) => {
    if (event.type === 'row.saved' || event.type === 'export.progress') return false
    const isAnswer = /^(?:delete|press)\.(?:confirm|cancel)$/.test(event.type)
    if (hasQuestion(v) !== isAnswer) return true
    return event.type in noKeys || isElsewhere(v, event)
  },
  screen: ListHost,
  props: {},
})

/** Events that a terminal sends elsewhere, or on another line than those that it shows. */
function isElsewhere(v: View, event: Parameters<View['s']['can']>[0]): boolean {
  switch (event.type) {
    case 'query.change':
      return !v.can.search
    case 'view.apply':
      return !v.can.search
    case 'sort.cycle':
      return event.multi === true && v.sorts.length === 0
    case 'row.toggle':
      return !listLines(v).includes(event.id)
    case 'group.toggle':
      return !listLines(v).includes(`group ${event.key}`)
    case 'delete.ask':
      return event.id === undefined ? v.chosen === 0 : !listLines(v).includes(event.id)
    case 'export.start':
      return (event.chosen === true) !== v.chosen > 0
    case 'button.press':
      return v.config?.buttons.some(({ code }) => code === event.code) !== true
    case 'undo.press':
      return toldUndo(v.s as never) !== event.no
    default:
      return false
  }
}

function press(key: string): TerminalGesture {
  return by.custom((shown) => shown.press(key))
}

/** Opens a choice, and chooses what each text finds. */
function pick(key: string, ...texts: readonly string[]): TerminalGesture {
  return by.custom(async (shown) => {
    await shown.press(key)
    for (const text of texts) {
      if (text !== '') await shown.type(text)
      await shown.press('enter')
    }
  })
}

type Act = (shown: TerminalUser, v: View) => Promise<void>

/** Moves the cursor to a line of the list, and acts there. */
function atLine(line: string, act: Act): TerminalGesture {
  return by.custom((shown, actor) => {
    const v = buildUserView(actor.getSnapshot() as View['s']) as View
    const lines = listLines(v)
    const at = lines.indexOf(line)
    if (at < 0) return null
    return (async () => {
      await shown.press(...lines.map(() => '↑'), ...lines.slice(0, at).map(() => '↓'))
      await act(shown, v)
    })()
  })
}

/** Deletes the row at the cursor; where rows are chosen, by its actions. */
async function askDeletion(shown: TerminalUser, { chosen }: View): Promise<void> {
  if (chosen === 0) {
    await shown.press('d')
    return
  }
  await shown.press('m')
  await shown.type(zh('common.delete'))
  await shown.press('enter')
}

function listedKeys() {
  const labels = keys.filter(({ listed }) => listed === true).map(({ label }) => label)
  return Object.fromEntries(
    labels.map((label) => [
      label,
      (v: View) => isFree(v) && keys.some((each) => each.label === label && each.works(v)),
    ]),
  )
}

/** The keys that the help lists. */
async function readHelp(shown: TerminalUser): Promise<string> {
  if (shown.keyFor(zh('cli.list.keys')) === null) return ''
  await shown.press('?')
  const found = keys.filter(({ key, label }) => shown.keyFor(label) === key)
  await shown.press('esc')
  return found.map(({ key, label }) => `${key} ${label}`).join('\n')
}

function readAnswers(shown: TerminalUser): string {
  return [zh('cli.key.yes'), zh('cli.key.no')]
    .map(shown.keyFor)
    .filter((key) => key !== null)
    .join(' ')
}

function formatConditions({ applied }: View): string {
  return Object.entries(applied)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ')
}

/** Heads of groups and rows, with their marks. */
function formatRows(v: View): string {
  const { rows, sections, selected, may, config, group } = v
  const format = (ids: readonly { readonly id: string }[]) =>
    ids.map(({ id }) =>
      may.selection === 'none' ? id : `${selected.includes(id) ? '[x]' : '[ ]'} ${id}`,
    )
  if (sections === null) return format(rows).join('\n')
  const field = config?.fields.find(({ attrName }) => attrName === group?.column)
  return sections
    .flatMap(({ isOpen, key, value, count, isContinued, rows: inside }) => [
      [
        `${isOpen ? '▾' : '▸'} ${field === undefined ? key : groupName(value, field, 'zh-CN')}`,
        ...(count === null ? [] : [zh('group.count', { n: count })]),
        ...(isContinued ? [zh('group.continued')] : []),
      ].join(' · '),
      ...format(inside),
    ])
    .join('\n')
}

function readShownLines(shown: TerminalUser): string {
  return listLineTexts(shown)
    .map((line) => line.replace(rowLine, '$1$2 ').trim())
    .map((line) => (/^[▾▸]/.test(line) ? line : line.replace(/^((?:\[[x ]\] )?[a-c])\b.*/, '$1')))
    .join('\n')
}

/** The lines of the list at which the cursor stops. */
function listLineTexts(shown: TerminalUser): readonly string[] {
  return shown
    .lines()
    .map((line) => read.flat(line.replace('❯', ' ')))
    .filter((line) => /^[▾▸] /.test(line) || rowLine.test(line))
}

/** Moves the cursor to the first line, where the keys are compared. */
async function moveToTop(shown: TerminalUser): Promise<void> {
  const lines = shown
    .lines()
    .map(read.flat)
    .filter((line) => /^(?:❯ )?[▾▸] /.test(line) || rowLine.test(line.replace(/^❯ /, '')))
  const at = lines.findIndex((line) => line.startsWith('❯'))
  await shown.press(...lines.slice(0, Math.max(0, at)).map(() => '↑'))
}

function formatRed(v: View): string {
  if (!isFailed(v) || v.problem === null) return ''
  const reason = formatMessages(v.problem)
  return v.rows.length > 0 ? zh('list.stale', { reason }) : reason
}

function formatDeletion({ pendingNames, pendingDeletion, config }: View): string {
  const params = { names: pendingNames.join('、'), n: pendingDeletion, name: '甲' }
  return zh('list.deleteThese', params) + (config?.recycles === true ? zh('list.toRecycleBin') : '')
}

/** The list as the terminal walks it, with buttons to press. */
function adaptSpec(spec: Spec<unknown>): Partial<Spec<unknown>> {
  return {
    ...adaptToTerminal(spec),
    outcomes: {
      ...spec.outcomes,
      loadConfig: answering<EntityConfig>(spec.outcomes['loadConfig'], (config) => ({
        ...config,
        buttons: config.buttons.length === 0 ? [] : [button, asking],
      })),
    },
  }
}

/** The screen with its notices, as the command shows it. */
function ListHost({ actor, locale }: Pick<ListScreenProps, 'actor' | 'locale'>) {
  const [notices] = useState(createListNotices)
  useEffect(() => listenForNotices(actor, notices), [actor, notices])
  return (
    <ListScreen
      actor={actor}
      locale={locale}
      user={user}
      notices={notices}
      columns={null}
      readCondition={takeTyped}
      readRecord={readNothing}
      loadViews={loadSavedViews}
      onForm={() => {}}
      onLeave={() => {}}
    />
  )
}

const takeTyped: ListScreenProps['readCondition'] = (_config, _field, text) => Promise.resolve(text)
const readNothing: ListScreenProps['readRecord'] = () => Promise.resolve([])
const loadSavedViews: ListScreenProps['loadViews'] = () => Promise.resolve(savedViews.views)
