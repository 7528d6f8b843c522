import { type TodoKind, todoKinds } from '@jiaowu/api/contract/entity/flow'
import { todoListView } from '@jiaowu/machines/todo-list/view'
import { TodoScreen } from '../../../apps/cli/src/screens/todo/todo-screen.tsx'
import {
  by,
  createTerminalDriver,
  formatMessages,
  on,
  read,
  type Shown,
  showWhen,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { todoListModels } from './model.ts'

type View = Shown<typeof todoListView>
const kindName = (mine: TodoKind) => zh(`todo.mine.${mine}`)
const names: Readonly<Record<string, string>> = { APPROVE: '同意', REJECT: '驳回' }
const isBatch = ({ s }: View) => s.matches('batch')
const isListed = (v: View) => !isBatch(v) && v.step !== 'failed' && v.c.page !== null
const isAsking = on('batch.asking', 'batch.checking')
const isChecked = on('batch.checked', 'batch.sending')
const isTold = on('batch.told')
const keyCase = ({ tag, id }: { readonly tag: string; readonly id: string }) => `${tag}/${id}`
const countResults = ({ c }: View, isOk: boolean) =>
  c.chosen.filter((key) =>
    c.results?.some((result) => keyCase(result) === key && result.ok === isOk),
  ).length
const counts = (v: View) => ({ ok: countResults(v, true), refused: countResults(v, false) })

/** The cases of a page, with their marks. */
function formatRows({ c }: View): string {
  return (c.page?.records ?? [])
    .map((row) => {
      const { title, name, entity, applicant, since, can } = row
      const isChoosable = can.some(({ ask }) => !ask.some(({ required }) => required))
      const mark = c.chosen.includes(keyCase(row)) ? '[x]' : isChoosable ? '[ ]' : '·'
      const facts = [entity, applicant?.name, since.slice(0, 16)].join(' · ')
      return `${mark} ${title} ${name} ${facts}`
    })
    .join('\n')
}

/** The chosen cases, with what the check or the decision came to. */
function formatCases(v: View): string {
  return (v.c.page?.records ?? [])
    .filter((row) => v.c.chosen.includes(keyCase(row)))
    .map((row) => {
      const result = v.c.results?.find((each) => keyCase(each) === keyCase(row))
      const state = { state: result?.name ?? '' }
      const text =
        result === undefined
          ? ''
          : result.ok
            ? zh(isTold(v) ? 'todo.now' : 'todo.would', state)
            : (result.msg ?? '')
      return `- ${row.title} ${row.entity} ${text}`.trim()
    })
    .join('\n')
}

function nameLimit(days: number | null): string {
  return days === null
    ? zh('todo.due.any')
    : days === 0
      ? zh('todo.due.today')
      : zh('todo.due.days', { n: days })
}
/** Presses the number of a decision. */
function pressOffer(name: string) {
  return by.custom((user) => {
    const found = new RegExp(String.raw`(?:^|\s)(\d) ${name}(?:\s|$)`, 'm').exec(user.frame())?.[1]
    return found === undefined ? null : user.press(found)
  })
}

/** Moves the cursor to the case, and presses the key that chooses it. */
function toggleRow(key: string) {
  return by.custom((user, actor) => {
    const { page } = (actor.getSnapshot() as View['s']).context
    const rows = page?.records ?? []
    const at = rows.findIndex((row) => keyCase(row) === key)
    if (at < 0 || user.keyFor(zh('cli.key.choose')) === null) return null
    return user.press(...rows.map(() => '↑'), ...rows.slice(0, at).map(() => '↓'), 'space')
  })
}

export const driver = createTerminalDriver({
  model: todoListModels,
  view: todoListView,
  readings: {
    lists: [
      showWhen(
        (v: View) => !isBatch(v),
        ({ c }) =>
          todoKinds.map((kind) => `${kind === c.mine ? '▸ ' : ''}${kindName(kind)}`).join(' '),
      ),
      read.readLines(/▸/),
    ],
    kind: [
      showWhen(
        (v: View) => !isBatch(v),
        ({ c }) => c.page?.entities.find(({ tag }) => tag === c.tag)?.name ?? c.tag ?? '',
      ),
      read.match(/业务: (\S+)/),
    ],
    due: [
      showWhen(
        (v: View) => !isBatch(v) && v.c.dueWithin !== null,
        ({ c }) => nameLimit(c.dueWithin),
      ),
      read.match(/期限: (.+)/),
    ],
    rows: [showWhen(isListed, formatRows), read.readLines(/^(?:\[x\]|\[ \]|·) t\d/)],
    page: [
      showWhen(
        (v: View) => !isBatch(v) && (v.c.page?.total ?? 0) > 10,
        ({ c }) => `${c.pageNum} / ${Math.ceil((c.page?.total ?? 0) / (c.page?.size ?? 1))}`,
      ),
      read.match(/(\d+ \/ \d+)/),
    ],
    offers: [
      showWhen(
        (v: View) => v.step === 'shown',
        (v) => v.offers.map(({ name }, i) => `${i + 1} ${name}`).join(),
      ),
      read.readMatches(/(?:^|\s)(\d (?:同意|驳回))(?=\s|$)/gm),
    ],
    decision: [
      showWhen(isBatch, ({ c }) => names[c.event ?? ''] ?? ''),
      (user) => /^ *(同意|驳回)\s*$/m.exec(user.lines()[0] ?? '')?.[1] ?? '',
    ],
    send: [
      showWhen(
        ({ can }: View) => can.send,
        (v) => zh('todo.send', { name: names[v.c.event ?? ''] ?? '', n: counts(v).ok }),
      ),
      read.match(/enter (\S+（\d+ 件）)/),
    ],
    cases: [showWhen(isBatch, formatCases), read.readLines(/^- t\d/)],
    note: [
      showWhen(
        (v: View) => isBatch(v) && v.c.event === 'REJECT' && !isTold(v),
        ({ c }) => c.note.trim(),
      ),
      read.readTypedValue(zh('flowPanel.note')),
    ],
    red: [
      ({ s, fault, problem, ...v }) =>
        s.matches('batch') || v.step === 'failed' ? formatMessages(fault, problem) : '',
      read.red,
    ],
  },
  says: {
    'common.loading': ({ s }) => s.hasTag('busy'),
    'todo.none.open': (v) => isListed(v) && v.c.page?.total === 0 && v.c.mine === 'open',
    'todo.none.started': (v) => isListed(v) && v.c.page?.total === 0 && v.c.mine === 'started',
    'todo.total': (v) =>
      !isBatch(v) && v.c.page !== null && v.c.page.total > 0 && { n: v.c.page.total },
    'todo.chosen': (v) => !isBatch(v) && v.c.chosen.length > 0 && { n: v.c.chosen.length },
    'todo.noCommon': (v) => isListed(v) && v.c.chosen.length > 0 && v.offers.length === 0,
    'todo.checkHint': isAsking,
    'todo.checked': (v) => isChecked(v) && counts(v),
    'todo.told': (v) => isTold(v) && counts(v),
  },
  hints: {
    [zh('cli.key.move')]: (v) => !isBatch(v) && (v.rows ?? []).length > 1,
    [zh('cli.key.choose')]: ({ can }) => can.choose,
    [zh('pager.next')]: ({ can, ...v }) => !isBatch(v as View) && can.next,
    [zh('pager.previous')]: ({ can, ...v }) => !isBatch(v as View) && can.previous,
    [zh('todo.entity')]: (v) => !isBatch(v) && (v.entities.length > 0 || v.tag !== null),
    [zh('todo.order.due')]: (v) => !isBatch(v) && v.order === 'since',
    [zh('todo.order.since')]: (v) => !isBatch(v) && v.order === 'due',
    [zh('todo.due')]: (v) => !isBatch(v),
    [zh('cli.key.switch')]: (v) => !isBatch(v),
    [zh('cli.key.open')]: (v) => !isBatch(v) && (v.rows ?? []).length > 0,
    [zh('todo.refresh')]: (v) => !isBatch(v) && v.step !== 'failed',
    [zh('common.retry')]: (v) => v.step === 'failed',
    [zh('cli.key.leave')]: (v) => !isBatch(v),
    [zh('common.cancel')]: (v) => isBatch(v) && !isTold(v),
    [zh('common.ok')]: isTold,
  },
  gestures: {
    'list.choose': ({ mine }) =>
      by.custom((user, actor) => {
        const now = (actor.getSnapshot() as View['s']).context.mine
        const by = todoKinds.indexOf(mine) - todoKinds.indexOf(now)
        return Math.abs(by) === 1 ? user.press(by > 0 ? 'tab' : '\u001b[Z') : null
      }),
    'list.filter': ({ tag }) =>
      by.afterKey(zh('todo.entity'), async (user, key) => {
        await user.press(key)
        await user.type(tag ?? zh('todo.everyEntity'))
        await user.press('enter')
      }),
    'list.order': ({ order }) =>
      by.unlistedKey(zh(order === 'due' ? 'todo.order.due' : 'todo.order.since')),
    'list.due': ({ dueWithin }) =>
      by.afterKey(zh('todo.due'), async (user, key) => {
        await user.press(key)
        await user.type(nameLimit(dueWithin))
        await user.press('enter')
      }),
    'list.page': ({ pageNum }) =>
      by.custom((user, actor) => {
        const now = (actor.getSnapshot() as View['s']).context.pageNum
        const key = user.keyFor(zh(pageNum > now ? 'pager.next' : 'pager.previous'))
        return key === null ? null : user.press(key)
      }),
    'list.refresh': by.unlistedKey(zh('todo.refresh'), zh('common.retry')),
    'row.toggle': ({ key }) => toggleRow(key),
    'rows.toggle': by.key(zh('todo.chooseAll'), 'a'),
    'batch.ask': ({ event }) => pressOffer(names[event] ?? ''),
    'note.change': ({ note }) => by.retype(note, `${zh('flowPanel.note')}:`),
    'batch.check': by.key(zh('todo.check'), 'enter'),
    'batch.send': by.custom((user) =>
      /enter (?:同意|驳回)（\d+ 件）/.test(user.frame()) ? user.press('enter') : null,
    ),
    'batch.close': by.unlistedKey(zh('common.ok'), zh('common.cancel')),
  },
  hidden: {
    'list.choose': ({ c }, { mine }) => mine === c.mine,
    'list.filter': ({ c }, { tag }) =>
      tag === null
        ? c.tag === null && (c.page?.entities ?? []).length === 0
        : tag !== c.tag && !(c.page?.entities ?? []).some((each) => each.tag === tag),
    'list.order': ({ c }, { order }) => order === c.order,
    'list.page': ({ c }, { pageNum }) => Math.abs(pageNum - c.pageNum) !== 1,
    // Only a decision with a note has a field for it.
    'note.change': ({ c }) => c.event !== 'REJECT',
  },
  screen: TodoScreen,
  props: { readCase: () => Promise.resolve([]), onLeave: () => {} },
})
