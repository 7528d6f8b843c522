import { type Field, type Message, messageText, type Problem, problemText, t } from '@jiaowu/api'
import type { Block, GridContext, gridEditMachine, GridEvent } from '@jiaowu/machines'
import { useEffect, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import { type GridActor, GridScreen } from '../../../apps/cli/src/screens/grid/grid-screen.tsx'
import type { TerminalScreen, TerminalUser } from '../../surfaces/terminal/screen.tsx'
import type { Spec } from '../spec.ts'

/** What a user reads of a grid on a terminal. */
export interface TerminalGridSeen {
  /** The rows with the marks of their cells. */
  readonly rows: string
  readonly place: string
  readonly typed: string
  readonly save: string
  readonly note: string
  readonly paste: string
  readonly problem: string
  readonly offers: string
}
type Snapshot = SnapshotFrom<typeof gridEditMachine>
const zh = 'zh-CN'
const labels = {
  edit: '编辑',
  ok: t(zh, 'common.ok'),
  clear: '清空',
  fill: '向下填充',
  paste: '粘贴',
  add: '新增一行',
  undo: '撤销',
  redo: '重做',
  revert: '放弃此行的修改',
  mine: '用我的',
  theirs: '用对方的',
  retry: '立即重试',
  write: '写入',
  cancel: '取消',
} as const

export function gridOnTerminal(model: Spec<unknown>): Spec<TerminalGridSeen> {
  return {
    ...model,
    events: {
      ...model.events,
      // An input method of a terminal sends whole words; ranges are dragged only on the web.
      'compose.start': {},
      'compose.end': {},
      'cells.replace': {},
      'cells.fill': model.events['cells.fill']?.down === undefined ? {} : { down: { row: null } },
    },
    hidden: (snapshot, event) =>
      model.hidden?.(snapshot, event) === true ||
      isHidden(snapshot as Snapshot, event as GridEvent),
    project: (snapshot) => seenOf(snapshot as Snapshot),
  }
}

function isHidden(s: Snapshot, event: GridEvent): boolean {
  const isTyping = s.matches({ table: { ready: 'editing' } })
  if (!s.matches({ table: { ready: 'selecting' } }))
    return !(event.type.startsWith('edit.') && isTyping) && !event.type.startsWith('paste.')
  return event.type === 'edit.start' && event.text === null && !s.can({ type: 'compose.start' })
}

function seenOf(s: Snapshot): TerminalGridSeen {
  const c = s.context
  // Nothing of the grid is drawn while it opens and behind a preview.
  const isPasting = c.paste !== null || c.config === null
  const { row } = c.selection.anchor
  const count = (c.total ?? 0) + c.added.length
  const edit = editAt(c, row)
  const field = c.columns[c.selection.anchor.col]
  return {
    rows: isPasting
      ? ''
      : Array.from({ length: Math.min(count, 5) }, (_row, i) => rowText(c, i)).join('/'),
    place: isPasting ? '' : `第 ${row + 1} / ${count} 行`,
    typed: c.edit === null ? '' : `${field?.uiLabel ?? ''}: ${String(c.edit.value ?? '')}`.trim(),
    save: isPasting ? '' : saveOf(s),
    note: isPasting || edit === null || field === undefined ? '' : noteOf(edit, field),
    paste:
      c.paste === null
        ? ''
        : c.check === null
          ? '检查'
          : `将修改 ${c.check.cells} 格，新增 ${c.check.fresh} 行`,
    problem: [c.problem, c.saveProblem].map(textOf).join(),
    offers: offersOf(s).join(),
  }
}

type Edit = GridContext['edits'][string]
function keyAt({ total, blocks, added }: GridContext, row: number): string {
  const extra = added[row - (total ?? 0)]
  return extra === undefined ? (blocks[0]?.[row]?.id ?? '') : (extra.row?.id ?? extra.key)
}
const editAt = (c: GridContext, row: number): Edit | null => c.edits[keyAt(c, row)] ?? null

function rowText(c: GridContext, row: number): string {
  const extra = c.added[row - (c.total ?? 0)]
  const stored = extra === undefined ? c.blocks[0]?.[row] : extra.row
  const edit = editAt(c, row)
  const cells = c.columns.map((field) => {
    const { attrName } = field
    const isTyped = edit !== null && attrName in edit.values
    const value = isTyped ? edit.values[attrName] : stored?.[attrName]
    return `${markOf(edit, field, isTyped)}${String(value ?? '')}`
  })
  return [extra === undefined ? String(row + 1) : '+', ...cells]
    .filter((text) => text !== '')
    .join()
}

function markOf(edit: Edit | null, { attrName }: Field, isTyped: boolean): string {
  if (edit === null) return ''
  const fault = edit.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
  if (!isTyped) return fault === undefined ? '' : '!'
  if (edit.theirs !== null) return '≠'
  if (fault !== undefined) return '!'
  return edit.isSaving ? '…' : '*'
}

function noteOf(edit: Edit, { attrName }: Field): string {
  const isTyped = attrName in edit.values
  if (edit.theirs !== null && isTyped)
    return t(zh, 'grid.stale', { value: String(edit.theirs[attrName] ?? '') })
  const fault = edit.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
  return fault === undefined ? '' : `✗ ${words(fault)}`
}

const words = (message: Message | string) =>
  typeof message === 'string' ? message : messageText(zh, message)
const textOf = (problem: Problem | null) => (problem === null ? '' : problemText(zh, problem))

function saveOf(s: Snapshot): string {
  if (s.matches({ table: { ready: 'reverting' } })) return t(zh, 'grid.reverting')
  const n = Object.values(s.context.edits).filter(
    ({ id, values }) => id !== null || Object.values(values).some((value) => value !== null),
  ).length
  if (s.matches({ saving: 'offline' })) return t(zh, 'grid.offline')
  if (s.matches({ saving: 'writing' })) return t(zh, 'grid.saving', { n })
  return n > 0 ? t(zh, 'grid.unsaved', { n }) : t(zh, 'grid.saved')
}

function offersOf(s: Snapshot): string[] {
  if (s.context.paste !== null)
    return [
      ...(s.can({ type: 'paste.confirm' }) ? [labels.write] : []),
      ...(s.can({ type: 'paste.cancel' }) ? [labels.cancel] : []),
    ]
  if (s.matches({ table: { ready: 'editing' } })) return [labels.ok, labels.cancel]
  const isSelecting = s.matches({ table: { ready: 'selecting' } })
  const rows: readonly (readonly [boolean, string])[] = [
    [s.can({ type: 'compose.start' }), labels.edit],
    [isSelecting, labels.clear],
    [isSelecting, labels.fill],
    [isSelecting, labels.paste],
    [s.can({ type: 'row.add' }), labels.add],
    [s.can({ type: 'history.undo' }), labels.undo],
    [s.can({ type: 'history.redo' }), labels.redo],
    [s.can({ type: 'row.revert' }), labels.revert],
    [s.can({ type: 'stale.take', side: 'mine' }), labels.mine],
    [s.can({ type: 'stale.take', side: 'theirs' }), labels.theirs],
    [s.can({ type: 'save.retry' }), labels.retry],
  ]
  return rows.flatMap(([can, label]) => (can ? [label] : []))
}

let copy: (block: Block) => void = () => {}
function clipboard(set: (block: Block) => void): void {
  copy = set
}

/** The screen with a clipboard that the test fills. */
function Page({ actor }: { readonly actor: GridActor }) {
  const [copied, setCopied] = useState<Block>([])
  useEffect(() => clipboard(setCopied), [])
  return <GridScreen actor={actor} locale={zh} copied={copied} onLeave={() => {}} />
}

export function gridTerminal(): TerminalScreen<TerminalGridSeen> {
  return {
    element: (actor) => <Page actor={actor as unknown as GridActor} />,
    gesture: ({ event }, user, actor) =>
      gestureOf(event as unknown as GridEvent, user, actor.getSnapshot() as unknown as Snapshot),
    read: (user) => Promise.resolve(read(user)),
  }
}

function gestureOf(event: GridEvent, user: TerminalUser, s: Snapshot): Promise<void> | null {
  switch (event.type) {
    case 'range.select':
      return goTo(user, s, event)
    case 'cell.move':
      return user.press(...arrows(event.rows, event.cols, event.extend))
    case 'edit.start':
      return event.text === null ? pressed(user, labels.edit) : user.type(event.text)
    case 'edit.change':
      return (async () => {
        await user.press('^u')
        if (event.value !== '') await user.type(String(event.value))
      })()
    case 'edit.commit':
      return user.press(event.move === 'none' ? '^s' : 'enter')
    case 'paste.start':
      return (async () => {
        copy(event.block)
        await user.press('\u001b[99~') // no key: renders with the new clipboard
        await user.press('^v')
      })()
    case 'grid.refresh':
      return user.press('^r')
    case 'stale.take':
      return pressed(user, event.side === 'mine' ? labels.mine : labels.theirs)
    default: {
      const label = labelFor[event.type as keyof typeof labelFor] as string | undefined
      return label === undefined ? null : pressed(user, label)
    }
  }
}

const labelFor = {
  'edit.cancel': labels.cancel,
  'cells.clear': labels.clear,
  'cells.fill': labels.fill,
  'row.add': labels.add,
  'row.revert': labels.revert,
  'paste.confirm': labels.write,
  'paste.cancel': labels.cancel,
  'history.undo': labels.undo,
  'history.redo': labels.redo,
  'save.retry': labels.retry,
} as const

function pressed(user: TerminalUser, label: string): Promise<void> | null {
  const key = user.keyFor(label)
  return key === null ? null : user.press(key)
}

function arrows(rows: number, cols: number, extend: boolean): string[] {
  const key = (letter: string) => (extend ? `\u001b[1;2${letter}` : `\u001b[${letter}`)
  const times = (n: number, letter: string) => Array.from({ length: n }, () => key(letter))
  return [...times(rows, 'B'), ...times(-rows, 'A'), ...times(cols, 'C'), ...times(-cols, 'D')]
}

function goTo(
  user: TerminalUser,
  { context: { selection } }: Snapshot,
  { anchor, focus }: Extract<GridEvent, { type: 'range.select' }>,
): Promise<void> {
  const from = selection.anchor
  const moves = arrows(anchor.row - from.row, anchor.col - from.col, false)
  return user.press(
    // A selection ends with the first move; without one, there and back.
    ...(moves.length === 0 ? ['\u001b[B', '\u001b[A'].slice(0, 0) : moves),
    ...arrows(focus.row - anchor.row, focus.col - anchor.col, true),
  )
}

function read(user: TerminalUser): TerminalGridSeen {
  const lines = user.frame().split('\n')
  const typed = lines.find((line) => /^(?:姓名|成绩|状态):/.test(line)) ?? ''
  const state = /^(第 \d+ \/ \d+ 行) · (.*)$/.exec(lines.find((line) => line.includes(' · ')) ?? '')
  const notes = lines.filter((line) => /^(?:✗ (?!\d+ 行有错误)|已被他人修改为)/.test(line))
  const problems = notes.filter(
    (line) => /(?:m\d+|网络异常，无法连接服务器)$/.test(line.trim()) && !isNote(line),
  )
  return {
    rows: lines
      .filter((line) => /^(?:\d+|\+)(?: {3,}|$)/.test(line))
      .slice(0, 5)
      .map((line) =>
        line
          .trim()
          .split(/\s{2,}/)
          .join(),
      )
      .join('/'),
    place: state?.[1] ?? '',
    typed: typed.trimEnd(),
    save: state?.[2]?.trim() ?? '',
    note: notes.find((line) => !problems.includes(line))?.trim() ?? '',
    paste: user.says('将修改 1 格，新增 1 行')
      ? '将修改 1 格，新增 1 行'
      : user.says('将修改 0 格，新增 0 行')
        ? '将修改 0 格，新增 0 行'
        : /正在检查/.test(user.frame())
          ? '检查'
          : '',
    problem: ['', problems.map((line) => line.replace(/^✗ /, '').trim()).join()].join(),
    offers: Object.values(labels)
      .filter((label) => user.keyFor(label) !== null)
      .join(),
  }
}

/** A refusal of a row, unlike a failed call. */
function isNote(line: string): boolean {
  return line.endsWith('m403')
}
