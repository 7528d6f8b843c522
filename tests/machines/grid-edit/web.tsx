import { type Field, type Message, messageText, problemOfReply, problemText, t } from '@jiaowu/api'
import type { Block, GridContext, gridEditMachine, GridEvent, GridPorts } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { EntityGrid } from '../../../apps/web/src/features/grid/entity-grid.tsx'
import { button, bySelector, dialog } from '../../surfaces/web/dom/by-role.ts'
import { Absent } from '../../surfaces/web/dom/dom.ts'
import { custom, type Gesture, need, press, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered, type HeldFetch } from '../../surfaces/web/http/held-fetch.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import type { MachineModel } from '../machine-model.ts'
import { gridEditModels, gridTerminalParts } from './model.ts'

type Snapshot = SnapshotFrom<typeof gridEditMachine>
interface View {
  readonly s: Snapshot
  readonly c: GridContext
  /** The cells are on the page. */
  readonly isOpen: boolean
}
const zh = 'zh-CN'
const ports = [
  'loadConfig',
  'loadBlock',
  'saveRows',
  'checkPaste',
  'writePaste',
  'dropPaste',
  'revertRows',
] as const satisfies readonly (keyof GridPorts)[]

const input = bySelector<HTMLTextAreaElement & HTMLInputElement>('.jw-cells__input')
const review = dialog(t(zh, 'grid.pasteTitle'))
/** Of rows that are not saved, or not loaded. */
const retryLabel = new RegExp(`(?:${t(zh, 'grid.retryNow')}|${t(zh, 'common.retry')})$`)
const state = bySelector('.jw-cells__state')
const tool = (name: string) => button(name)
const words = (message: Message | string) =>
  typeof message === 'string' ? message : messageText(zh, message)

const model: MachineModel = {
  ...gridEditModels,
  parts: Object.fromEntries(
    gridTerminalParts
      .filter((name) => name !== 'few')
      .map((name) => [name, gridEditModels.parts[name]]),
  ) as MachineModel['parts'],
}

const driver = webDriverOf<Snapshot, GridEvent, View>({
  model,
  view: (s) => ({ s, c: s.context, isOpen: s.context.config !== null }),
  readings: {
    rows: { model: ({ c, isOpen }) => (isOpen ? rowsOf(c) : ''), screen: rowsOnPage },
    active: {
      model: ({ c, isOpen }) => (isOpen ? placeOf(c) : ''),
      screen: () => input.all()[0]?.getAttribute('aria-label') ?? '',
    },
    typed: {
      model: ({ s, c }) =>
        s.matches({ table: { ready: 'editing' } }) ? String(c.edit?.value ?? '') : '',
      screen: () => (isTyping() ? (input.all()[0]?.value ?? '') : ''),
    },
    save: {
      model: ({ s, isOpen }) => (isOpen ? saveOf(s) : ''),
      screen: () =>
        (document.querySelector('.jw-cells__state')?.textContent ?? '')
          .replace(retryLabel, '')
          .trim(),
    },
    paste: {
      model: ({ c }) =>
        c.paste === null
          ? ''
          : c.check === null
            ? t(zh, 'grid.pasteChecking', { n: c.paste.rows.length })
            : t(zh, 'grid.pasteSummary', { cells: c.check.cells, rows: c.check.fresh }),
      screen: () => review.all()[0]?.querySelector('[role=status]')?.textContent?.trim() ?? '',
    },
    refused: {
      model: ({ c }) => c.check?.refused.flatMap(({ errors }) => errors).length ?? 0,
      screen: () => review.all()[0]?.querySelectorAll('tr.is-wrong').length ?? 0,
    },
  },
  says: {},
  gestures: {
    'rows.need': custom(() => {
      throw new Absent('the table asks for rows by itself')
    }),
    'query.change': custom(() => {
      throw new Absent('the list changes it')
    }),
    'grid.refresh': unlisted(press(tool(t(zh, 'common.refresh')))),
    'range.select': (event) => custom(() => goTo(event)),
    'cell.move': ({ rows, cols, extend }) => keys(arrows(rows, cols, extend)),
    'edit.start': ({ text }) => (text === null ? keys([{ key: 'F2' }]) : typing(text)),
    'edit.change': ({ value }) => typing(String(value ?? '')),
    'edit.commit': ({ move }) => keys([{ key: 'Enter', ctrlKey: move === 'none' }]),
    'edit.cancel': keys([{ key: 'Escape' }]),
    'compose.start': custom(() => {
      need(input).dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    }),
    'compose.end': ({ text }) =>
      custom(() => {
        const field = need(input)
        field.value = text
        field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
      }),
    'cells.clear': keys([{ key: 'Delete' }]),
    'cells.fill': keys([{ key: 'd', ctrlKey: true }]),
    'cells.replace': custom(() => {
      throw new Absent('the page has no control for it')
    }),
    'row.add': press(tool(t(zh, 'grid.addRow'))),
    'row.revert': press(tool(t(zh, 'grid.revert'))),
    'stale.take': ({ side }) => press(tool(t(zh, side === 'mine' ? 'grid.mine' : 'grid.theirs'))),
    'paste.start': ({ block }) => custom(() => paste(block)),
    'paste.confirm': press(button(t(zh, 'grid.pasteConfirm'), review)),
    'paste.cancel': press(button(t(zh, 'common.cancel'), review)),
    'history.undo': press(tool(t(zh, 'grid.undo'))),
    'history.redo': press(tool(t(zh, 'grid.redo'))),
    'grid.retry': press(button(retryLabel, state)),
  },
  hidden: (s, event) =>
    event.type === 'cells.replace' ||
    (event.type === 'cells.fill' && event.row !== null) ||
    // A click on another cell: without a layout the page has no places to click.
    (event.type === 'range.select' && !s.matches({ table: { ready: 'selecting' } })) ||
    // Nothing is on the page yet that could be operated.
    s.matches({ table: 'opening' }),
  calls: Object.fromEntries(
    ports.map((name) => [`/port/${name}`, [name, ({ body }) => body] as const]),
  ),
  host,
})

/** The concerns bound what a path may do, besides what the page has no control for. */
export const gridEditWeb: typeof driver = {
  ...driver,
  onScreen: (spec) => {
    const seen = driver.onScreen(spec)
    return {
      ...seen,
      hidden: (snapshot, event) =>
        spec.hidden?.(snapshot, event) === true || seen.hidden?.(snapshot, event) === true,
    }
  },
}

function rowsOf(c: GridContext): string {
  const count = Math.min((c.total ?? 0) + c.added.length, 5)
  return Array.from({ length: count }, (_row, row) =>
    c.columns.map((field) => cellOf(c, row, field)).join(),
  ).join('/')
}

type Edit = GridContext['edits'][string]
function found(c: GridContext, row: number) {
  const extra = c.added[row - (c.total ?? 0)]
  const stored = extra === undefined ? c.blocks[0]?.[row] : extra.row
  const edit: Edit | undefined = c.edits[stored?.id ?? extra?.key ?? '']
  return { stored, edit }
}

function cellOf(c: GridContext, row: number, { attrName }: Field): string {
  const { stored, edit } = found(c, row)
  const isTyped = edit !== undefined && attrName in edit.values
  const fault = edit?.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
  const theirs = isTyped ? (edit.theirs?.[attrName] ?? null) : null
  const note =
    isTyped && edit.theirs !== null
      ? t(zh, 'grid.stale', { value: String(theirs ?? '') })
      : fault === undefined
        ? ''
        : words(fault)
  const state = !isTyped
    ? fault === undefined
      ? 'stored'
      : 'refused'
    : edit.theirs !== null
      ? 'stale'
      : fault !== undefined
        ? 'refused'
        : edit.isSaving
          ? 'saving'
          : 'unsaved'
  return [String((isTyped ? edit.values[attrName] : stored?.[attrName]) ?? ''), state, note].join(
    ' ',
  )
}

function rowsOnPage(): string {
  const rows = new Map<number, Map<number, string>>()
  for (const cell of document.querySelectorAll('.bp6-table-quadrant .jw-cells__cell')) {
    const [, row] = /bp6-table-cell-row-(\d+)/.exec(cell.className) ?? []
    const [, col] = /bp6-table-cell-col-(\d+)/.exec(cell.className) ?? []
    const [, state = ''] = /is-(stored|unsaved|saving|refused|stale)/.exec(cell.className) ?? []
    if (row === undefined || col === undefined || Number(row) > 4) continue
    const cells = rows.get(Number(row)) ?? new Map<number, string>()
    cells.set(
      Number(col),
      [cell.textContent.trim(), state, cell.getAttribute('title') ?? ''].join(' '),
    )
    rows.set(Number(row), cells)
  }
  const inOrder = <T,>(map: Map<number, T>) =>
    [...map.entries()].sort(([a], [b]) => a - b).map(([, value]) => value)
  return inOrder(rows)
    .map((cells) => inOrder(cells).join())
    .join('/')
}

function placeOf(c: GridContext): string {
  const { row, col } = c.selection.anchor
  const label = c.columns[col]?.uiLabel ?? ''
  return row < (c.total ?? 0)
    ? t(zh, 'grid.cell', { row: row + 1, label })
    : t(zh, 'grid.newCell', { label })
}

function saveOf(s: Snapshot): string {
  const { edits, problem, saveProblem } = s.context
  const n = Object.values(edits).filter(
    ({ id, values }) => id !== null || Object.values(values).some((value) => value !== null),
  ).length
  if (s.matches({ saving: 'offline' }))
    return [
      ...(saveProblem === null ? [] : [problemText(zh, saveProblem)]),
      t(zh, 'grid.offline'),
    ].join(' · ')
  if (s.matches({ blocks: 'failed' }))
    return problem === null ? t(zh, 'grid.loadFailed') : problemText(zh, problem)
  if (s.matches({ table: { ready: 'reverting' } })) return t(zh, 'grid.reverting')
  if (s.matches({ saving: 'writing' })) return t(zh, 'grid.saving', { n })
  return n > 0 ? t(zh, 'grid.unsaved', { n }) : t(zh, 'grid.saved')
}

const isTyping = () => document.querySelector('.jw-cells__input.is-open') !== null

type Pressed = Pick<KeyboardEventInit, 'key' | 'shiftKey' | 'ctrlKey'>
function keys(list: readonly Pressed[]): Gesture {
  return custom(() => pressKeys(list))
}
function pressKeys([first, ...rest]: readonly Pressed[]): unknown {
  if (first === undefined) return undefined
  need(input).dispatchEvent(
    new KeyboardEvent('keydown', { ...first, bubbles: true, cancelable: true }),
  )
  return rest.length === 0 ? undefined : () => pressKeys(rest)
}

function arrows(rows: number, cols: number, shiftKey: boolean): Pressed[] {
  const times = (n: number, key: string) =>
    Array.from({ length: Math.max(0, n) }, () => ({ key, shiftKey }))
  return [
    ...times(rows, 'ArrowDown'),
    ...times(-rows, 'ArrowUp'),
    ...times(cols, 'ArrowRight'),
    ...times(-cols, 'ArrowLeft'),
  ]
}

const labels = ['姓名', '成绩', '状态']
/** To a range by arrows, from where the input says that it is. */
function goTo({ anchor, focus }: Extract<GridEvent, { type: 'range.select' }>): unknown {
  const label = need(input).getAttribute('aria-label') ?? ''
  const rows = document.querySelectorAll(
    '.bp6-table-quadrant-main .bp6-table-row-headers .bp6-table-header',
  ).length
  const row = /第 (\d+) 行/.exec(label)?.[1]
  const from = {
    row: row === undefined ? rows - 1 : Number(row) - 1,
    col: Math.max(
      0,
      labels.findIndex((each) => label.endsWith(each)),
    ),
  }
  return pressKeys([
    ...arrows(anchor.row - from.row, anchor.col - from.col, false),
    ...arrows(focus.row - anchor.row, focus.col - anchor.col, true),
  ])
}

function typing(text: string): Gesture {
  return custom(() => {
    const field = need(input)
    field.value = text
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
}

function paste(block: Block): void {
  const event = new Event('paste', { bubbles: true, cancelable: true })
  const text = block.map((row) => row.join('\t')).join('\n')
  Object.defineProperty(event, 'clipboardData', { value: { getData: () => text } })
  need(input).dispatchEvent(event)
}

/** Blueprint's table draws what fits: without a layout nothing would. */
function givenSize(): { stop(): void } {
  const sizes = { clientWidth: 1200, clientHeight: 600 }
  const before = Object.keys(sizes).map(
    (name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)] as const,
  )
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { get: () => value, configurable: true })
  return {
    stop: () => {
      for (const [name, descriptor] of before)
        if (descriptor === undefined) Reflect.deleteProperty(HTMLElement.prototype, name)
        else Object.defineProperty(HTMLElement.prototype, name, descriptor)
    },
  }
}

function host(): Host {
  return {
    mount: (_start, held) => {
      const size = givenSize()
      return {
        element: inConsole(
          held,
          <EntityGrid
            tag="A"
            query={{ queries: {}, sorts: [] }}
            columns={null}
            mayEdit
            mayAdd
            ports={portsOver(held)}
            sorts={[]}
            widths={{}}
            onSort={() => {}}
            onWidth={() => {}}
            onClose={() => {}}
            onDirty={() => {}}
          />,
        ),
        stop: size.stop,
      }
    },
    background: () => answered(null),
    // What the machine says and stores is read by the journey in a real browser.
    readsEffects: true,
  }
}

/** The grid's ports as one request each: how they speak to the server is tested in the journey. */
function portsOver(held: HeldFetch): GridPorts {
  return Object.fromEntries(
    ports.map((name) => [
      name,
      async (body: unknown, signal: AbortSignal) => {
        const reply = await held.plain(`/api/port/${name}`, {
          method: 'POST',
          body: JSON.stringify(body),
          signal,
        })
        const answer = (await reply.json()) as { success: boolean; data: unknown }
        if (!answer.success) throw problemOfReply(reply.status, answer)
        return answer.data
      },
    ]),
  ) as unknown as GridPorts
}
