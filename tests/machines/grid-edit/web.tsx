import type { Field } from '@jiaowu/api/entity/config'
import { problemOfReply, problemText } from '@jiaowu/api/problem'
import type { Block } from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import type { GridContext, GridEvent, Settlement } from '@jiaowu/machines/grid-edit/context'
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridPorts } from '@jiaowu/machines/grid-edit/ports'
import { EntityGrid } from '../../../apps/web/src/features/grid/entity-grid.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { page } from '../../surfaces/web/dom/by-role.ts'
import { custom, type Gesture, noControl, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import type { HeldFetch } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import type { MachineModel } from '../machine-model.ts'
import { gridEditModels, gridTerminalParts } from './model.ts'
import {
  formatCellConflict,
  findGridRow,
  formatUnsavedLeft,
  formatNextUnsaved,
  formatCellTip,
} from './web-unsaved.ts'

type View = Shown<typeof gridEditView>
const ports = [
  'loadConfig',
  'loadBlock',
  'countRows',
  'loadRows',
  'findRows',
  'saveRows',
  'checkPaste',
  'writePaste',
  'dropPaste',
  'revertRows',
] as const satisfies readonly (keyof GridPorts)[]

const input = page.css<HTMLTextAreaElement & HTMLInputElement>('.jw-cells__input')
const typed = input.where((each) => each.classList.contains('is-open'))
const review = page.dialog(zh('grid.pasteTitle'))
/** Labels of retries for rows that are not saved, or not loaded. */
const retryLabel = new RegExp(`(?:${zh('grid.retryNow')}|${zh('common.retry')})$`)
const leaving = page.dialog(/^有 \d+ 行未保存$/)
const nextButton = page.css<HTMLButtonElement>('.jw-cells__unsaved')
const state = page.css('.jw-cells__state')

const hasCells = ({ config }: View) => config !== null
const parts = Object.fromEntries(
  gridTerminalParts
    // The page takes what an earlier visit left from the storage of the tab, as the journey does.
    .filter((name) => !['few', 'kept', 'keptStale'].includes(name))
    .map((name) => [name, gridEditModels.parts[name]]),
) as MachineModel['parts']

export const gridEditWeb = createWebDriver<typeof gridEditView>({
  model: { ...gridEditModels, parts },
  isBounded: true,
  view: gridEditView,
  readings: {
    rows: createRead(rowsOnPage).while(hasCells, ({ c }) => formatWebGridRows(c)),
    active: input.attribute('aria-label').while(hasCells, formatCellPlace),
    typed: typed.value.is(({ s, c }) =>
      s.matches({ table: { ready: 'editing' } }) ? String(c.edit?.value ?? '') : '',
    ),
    save: createRead(stateOnPage).while(hasCells, formatWebSaveState),
    next: nextButton.text.while(hasCells, formatNextUnsaved),
    tip: page.css('.jw-cells__tip.is-bad').text.while(hasCells, formatCellTip),
    conflict: page.css('.jw-cells__tip.is-stale > div').text.while(hasCells, formatCellConflict),
    left: createRead(() => leaving.css('.jw-cells__left').text()).is(formatUnsavedLeft),
    paste: review.css('[role=status]').text.is(({ paste, check, match, step, pasted }) => {
      if (paste === null) return ''
      if (step === 'matching') return zh('grid.matching', { n: pasted })
      if (step === 'settling' && match !== null) return matchText(match)
      return check === null
        ? zh('grid.pasteChecking', { n: paste.rows.length })
        : zh('grid.pasteSummary', { cells: check.cells, rows: check.fresh })
    }),
    refused: createRead<number>(() => review.css('tr.is-wrong').all().length).is(
      ({ check }) => check?.refused.flatMap(({ errors }) => errors).length ?? 0,
    ),
  },
  says: {},
  gestures: {
    // The table asks for rows by itself; the list changes the query.
    'rows.need': noControl,
    'query.change': noControl,
    'grid.refresh': withoutOffer(page.button(zh('common.refresh')).press),
    'range.select': (event) => custom(() => goTo(event)),
    'cell.move': ({ rows, cols, extend }) => keys(arrows(rows, cols, extend)),
    'edit.start': ({ text }) => (text === null ? keys([{ key: 'F2' }]) : typing(text)),
    'edit.change': ({ value }) => typing(String(value ?? '')),
    'edit.commit': ({ move }) => keys([{ key: 'Enter', ctrlKey: move === 'none' }]),
    'edit.cancel': keys([{ key: 'Escape' }]),
    'compose.start': custom(() => compose('start')),
    'compose.end': ({ text }) =>
      custom(() => {
        input.needed.value = text
        compose('end')
      }),
    // Loaded rows are copied by the browser's event alone.
    'cells.copy': noControl,
    'fetch.cancel': keys([{ key: 'Escape' }]),
    'cells.clear': keys([{ key: 'Delete' }]),
    'cells.fill': keys([{ key: 'd', ctrlKey: true }]),
    'cells.replace': noControl,
    'row.add': page.button(zh('grid.addRow')).press,
    'row.revert': page.button(zh('grid.revert')).press,
    'unsaved.show': nextButton.press,
    'grid.leave': page.button(zh('grid.close')).press,
    'leave.stay': leaving.button(zh('grid.leaveStay')).press,
    'leave.discard': leaving.button(zh('grid.leaveDiscard')).press,
    'stale.take': ({ side }) =>
      page.button(zh(side === 'mine' ? 'grid.mine' : 'grid.theirs')).press,
    'paste.start': ({ block }) => custom(() => pasteOnPage(block)),
    'line.settle': ({ line, as }) => custom(() => settle(line, as)),
    'lines.settle': ({ as }) => custom(() => settleAll(as)),
    'line.correct': ({ line, text }) => custom(() => correct(line, text)),
    'paste.confirm': review.button(
      new RegExp(`^(?:${zh('grid.pasteConfirm')}|${zh('grid.matchGoOn')})$`),
    ).press,
    'paste.cancel': review.button(zh('common.cancel')).press,
    'history.undo': page.button(zh('grid.undo')).press,
    'history.redo': page.button(zh('grid.redo')).press,
    'grid.retry': state.button(retryLabel).press,
  },
  // Nothing is on the page yet that could be operated.
  covered: ({ step }) => step === 'opening',
  hidden: {
    'cells.replace': true,
    'line.settle': (view, { line, as }) => !isSettleable(view, line, as),
    'lines.settle': (view, { as }) =>
      view.match?.lines.some(
        ({ state, settlements }) => state === 'open' && settlements.includes(as),
      ) !== true,
    'line.correct': (view, { line, text }) =>
      view.step !== 'settling' ||
      view.match?.by == null ||
      view.match.lines.every(
        (each) => each.line !== line || each.verdict === 'ready' || each.key === text,
      ),
    // The next row is named once no row is on its way, and leaving is asked about once none is.
    'unsaved.show': ({ save, loading }) =>
      save === 'saving' || (save === 'waiting' && loading === 'failed'),
    'leave.stay': ({ step }) => step !== 'askingLeave',
    'cells.fill': (_view, { row }) => row !== null,
    // A click on another cell: without a layout the page has no places to click.
    'range.select': ({ s }) => !s.matches({ table: { ready: 'selecting' } }),
  },
  calls: Object.fromEntries(
    ports.map((name) => [`/port/${name}`, [name, ({ body }) => body] as const]),
  ),
  host: createGridHost,
})

function matchText({ lines, open }: NonNullable<View['match']>): string {
  const ready = zh('grid.matchReady', {
    n: lines.filter(({ state }) => state === 'ready').length,
  })
  return open === 0 ? ready : `${ready} ${zh('grid.matchOpen', { n: open })}`
}

/** Pressed buttons are pressed again to decide anew. */
function isSettleable({ step, match }: View, line: number, as: Settlement | null): boolean {
  const found = match?.lines.find((each) => each.line === line)
  if (step !== 'settling' || found === undefined) return false
  if (found.state === 'ready' && found.verdict === 'ready') return false
  return as === null
    ? found.settlements.some((each) => each === found.state)
    : found.settlements.includes(as) && found.state !== as
}

const settleTexts = { left: 'grid.lineLeft', taken: 'grid.lineTaken', new: 'grid.lineNew' } as const

function lineIn(line: number): HTMLElement {
  const name = zh('grid.line', { n: line })
  const group = document.querySelector<HTMLElement>(`[role=dialog] [aria-label='${name}']`)
  if (group === null) throw new Error(`no ${name}`)
  return group
}

function settle(line: number, as: Settlement | null): void {
  const buttons = [...lineIn(line).querySelectorAll('button')]
  buttons
    .find((button) =>
      as === null
        ? button.getAttribute('aria-pressed') === 'true'
        : button.textContent === zh(settleTexts[as]),
    )
    ?.click()
}

function settleAll(as: Settlement): void {
  const all = [...document.querySelectorAll<HTMLElement>('.jw-paste__all button')]
  all[as === 'left' ? 0 : 1]?.click()
}

function correct(line: number, text: string): unknown {
  const input = lineIn(line).querySelector('input')
  if (input === null) throw new Error('no key to correct')
  typeInto(input, text)
  return () => lineIn(line).querySelector('form')?.requestSubmit()
}

function typeInto(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function formatWebGridRows(c: GridContext): string {
  const count = Math.min((c.total ?? 0) + c.added.length, 5)
  return Array.from({ length: count }, (_row, row) =>
    c.columns.map((field) => formatGridCell(c, row, field)).join(),
  ).join('/')
}

function formatGridCell(c: GridContext, row: number, { attrName }: Field): string {
  const { stored, edit } = findGridRow(c, row)
  const isTyped = edit !== undefined && attrName in edit.values
  const fault = edit?.faults[attrName] ?? (isTyped ? edit.faults[''] : undefined)
  const theirs = isTyped ? (edit.theirs?.[attrName] ?? null) : null
  const note =
    isTyped && edit.theirs !== null
      ? zh('grid.stale', { value: String(theirs ?? '') })
      : fault === undefined
        ? ''
        : sentence(fault)
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
    cells.set(Number(col), [cell.textContent.trim(), state, noteIn(cell)].join(' '))
    rows.set(Number(row), cells)
  }
  const inOrder = <T,>(map: Map<number, T>) =>
    [...map.entries()].sort(([a], [b]) => a - b).map(([, value]) => value)
  return inOrder(rows)
    .map((cells) => inOrder(cells).join())
    .join('/')
}

/** Reads the note in the name of a cell after its value. */
function noteIn(cell: Element): string {
  const name = cell.querySelector('[role=group]')?.getAttribute('aria-label') ?? ''
  const value = cell.textContent.trim() === '' ? zh('grid.emptyCell') : cell.textContent.trim()
  const [, note = ''] = name.split(`：${value}，`)
  return note
}

/** Words about saves, without the buttons beside them. */
function stateOnPage(): string {
  const copy = document.querySelector('.jw-cells__state')?.cloneNode(true)
  if (!(copy instanceof Element)) return ''
  for (const button of copy.querySelectorAll('button')) button.remove()
  return copy.textContent.trim()
}

function formatCellPlace({ selection, columns, total }: View): string {
  const { row, col } = selection.anchor
  const label = columns[col]?.uiLabel ?? ''
  return row < total ? zh('grid.cell', { row: row + 1, label }) : zh('grid.newCell', { label })
}

function formatWebSaveState(view: View): string {
  const { save, saveProblem, loading, problem, step, unsaved: n } = view
  const told = (each: typeof problem) => (each === null ? [] : [problemText('zh-CN', each)])
  if (save === 'offline') return [...told(saveProblem), zh('grid.offline')].join(' · ')
  if (loading === 'failed') return told(problem)[0] ?? zh('grid.loadFailed')
  if (step === 'reverting') return zh('grid.reverting')
  if (save === 'saving') return zh('grid.saving', { n })
  return n > 0 ? '' : zh('grid.saved')
}

function compose(phase: 'start' | 'end'): void {
  input.needed.dispatchEvent(new CompositionEvent(`composition${phase}`, { bubbles: true }))
}

type Pressed = Pick<KeyboardEventInit, 'key' | 'shiftKey' | 'ctrlKey'>
function keys(list: readonly Pressed[]): Gesture {
  return custom(() => pressKeys(list))
}
function pressKeys([first, ...rest]: readonly Pressed[]): unknown {
  if (first === undefined) return undefined
  input.needed.dispatchEvent(
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
  const label = input.needed.getAttribute('aria-label') ?? ''
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
    const field = input.needed
    field.value = text
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
}

function pasteOnPage(block: Block): void {
  const event = new Event('paste', { bubbles: true, cancelable: true })
  const text = block.map((row) => row.join('\t')).join('\n')
  Object.defineProperty(event, 'clipboardData', {
    value: { getData: (type: string) => (type === 'text/plain' ? text : '') },
  })
  input.needed.dispatchEvent(event)
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

function createGridHost(): Host {
  let size = { stop: () => {} }
  return {
    show: (_start, held) => {
      size = givenSize()
      return (
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
        />
      )
    },
    stop: () => size.stop(),
    // The journey in a real browser reads the messages and saves of the machine.
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
