import '@blueprintjs/table/lib/css/table.css'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { Sort } from '@jiaowu/api/entity/values'
import { gridCell } from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { rowCount as gridRowCount } from '@jiaowu/machines/grid-edit/selection/places'
import {
  type ComponentProps,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useText } from '../../app/text-context.ts'
import { useUnsaved } from '../../app/unsaved.ts'
import { useNarrow } from '../../app/use-narrow.ts'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import type { OnWidth } from '../../ui/table/column-edge.tsx'
import { GridBar } from './grid-bar.tsx'
import { rowHeight, scroller } from './cell-place.ts'
import { writeBlock } from './clipboard-block.ts'
import { CellTip } from './cell-tip.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { GridEditor } from './grid-editor.tsx'
import { FillHandle } from './fill-handle.tsx'
import { GridTable, computeColumnWidth } from './grid-table.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import { useCellPlace } from './use-cell-place.ts'
import { type Grid, type GridSubject, useGrid } from './use-grid.ts'
import './grid.css'

interface Props extends GridSubject {
  readonly sorts: readonly Sort[]
  readonly widths: Readonly<Record<string, number>>
  readonly onSort: (column: string) => void
  readonly onWidth: OnWidth
  /** Figures over all rows, below them. */
  readonly figures?: React.ReactNode
  /** Columns that stay in sight; without it those that the definition pins. */
  readonly frozen?: number
  /** Null: nothing to go back to. */
  readonly onClose: (() => void) | null
  /** Something is not stored, or no longer. */
  readonly onDirty?: (dirty: boolean) => void
}

/** The rows of a list as a spreadsheet (docs/decisions/0002-html-table.md). */
export function EntityGrid(props: Props) {
  const grid = useGrid(props)
  const { locale } = useText()
  const { view, actor } = grid
  const { onDirty } = props
  const isDirty = view.unsaved > 0 || view.editing !== undefined
  useUnsaved(isDirty)
  useEffect(() => {
    onDirty?.(isDirty)
    return () => onDirty?.(false)
  }, [onDirty, isDirty])
  const { onClose } = props
  useEffect(() => {
    const watching = actor.on('left', () => onClose?.())
    return () => watching.unsubscribe()
  }, [actor, onClose])
  if (view.step === 'broken')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => actor.send({ type: 'grid.refresh' })}
      />
    )
  return view.step === 'opening' ? <Loading /> : <Sheet {...props} grid={grid} />
}

function Sheet({ grid, ...props }: Props & { readonly grid: Grid }) {
  const { actor, view, context, said } = grid
  const { t } = useText()
  const narrow = useNarrow()
  const frame = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const frozen = narrow ? 0 : (props.frozen ?? frozenColumns(view.columns))
  const place = useCellPlace(frame, view, view.selection.anchor, frozen)
  const [copied, setCopied] = useState('')
  useCopied(actor, setCopied)
  const scroll = useScroll(frame, view, frozen, props.widths)
  const send = useSend(actor, scroll)
  const toCell = useCallback(
    (event: GridEvent) => {
      send(event)
      input.current?.focus({ preventScroll: true })
    },
    [send],
  )
  useFocus(frame, input, view.step)
  const page = useCallback(
    () => Math.max(1, Math.floor((scroller(frame.current)?.clientHeight ?? 0) / rowHeight) - 2),
    [],
  )
  const onSort = useLatest(props.onSort)
  const onWidth = useLatest(props.onWidth)
  const cells = useCells(context)
  const box = useBox(view.box)
  return (
    <>
      <GridBar
        view={view}
        mayAdd={props.mayAdd}
        send={send}
        toCell={toCell}
        onLeave={props.onClose === null ? null : () => send({ type: 'grid.leave' })}
      />
      <div
        className={`jw-cells__frame${isAtRefused(context) ? ' is-at-refused' : ''}`}
        ref={frame}
        onDoubleClick={({ target }) => {
          if (target instanceof Element && target.closest('.jw-cells__cell') !== null)
            send({ type: 'edit.start', text: null })
        }}
      >
        <GridTable
          columns={view.columns}
          rowCount={view.rowCount}
          total={view.total}
          box={box}
          selection={view.selection}
          cells={cells}
          sorts={props.sorts}
          frozen={frozen}
          widths={props.widths}
          send={send}
          onSort={onSort}
          onWidth={onWidth}
        />
        <Layers
          tag={props.tag}
          view={view}
          context={context}
          place={place}
          frame={frame}
          input={input}
          frozen={frozen}
          page={page}
          send={send}
          onCopied={(n) => setCopied(t('grid.copied', { n }))}
        />
      </div>
      <Foot box={box} copied={copied} figures={props.figures} />
      <div className="jw-unseen" role="status">
        {said}
      </div>
      <Questions view={view} send={send} />
    </>
  )
}

function Questions(props: ComponentProps<typeof PasteDialog>) {
  return (
    <>
      <PasteDialog {...props} />
      <LeaveDialog {...props} />
    </>
  )
}

interface LayersProps extends Omit<ComponentProps<typeof GridEditor>, 'tip'> {
  readonly frame: React.RefObject<HTMLDivElement | null>
  readonly frozen: number
}

/**
 * Shows the layers over the cells: the input, why a cell is not stored, and the corner that fills.
 */
function Layers({ frame, frozen, ...props }: LayersProps) {
  const tip = useId()
  const { input, view, context, place, send } = props
  const shared = { frame, view, frozen, send }
  return (
    <>
      <GridEditor {...props} tip={tip} />
      <CellTip {...shared} input={input} context={context} place={place} id={tip} />
      <FillHandle {...shared} />
    </>
  )
}

/** The active cell is red: its frame is red too, which would hide the red of the cell. */
function isAtRefused(context: Grid['context']): boolean {
  const { row, col } = context.selection.anchor
  return gridCell(context, row, col)?.state === 'refused'
}

function Foot({
  box,
  copied,
  figures,
}: {
  readonly box: Grid['view']['box']
  readonly copied: string
  readonly figures: React.ReactNode
}) {
  const { t } = useText()
  const isMany = box.bottom - box.top >= limits.gridWhole
  return (
    <p className="jw-cells__foot">
      <span>
        {t('grid.selected', {
          rows: box.bottom - box.top + 1,
          columns: box.right - box.left + 1,
        })}
      </span>
      <span>{isMany ? t('grid.tooMany', { max: limits.gridWhole }) : copied}</span>
      {figures}
      <span className="jw-muted">{t('grid.keys')}</span>
    </p>
  )
}

/** Cells that were loaded to be copied: some browsers then want the keys once more. */
function useCopied(actor: Grid['actor'], tell: (text: string) => void): void {
  const { t } = useText()
  useEffect(() => {
    const watching = actor.on('copied', ({ block }) => {
      const n = block.reduce((sum, row) => sum + row.length, 0)
      writeBlock(block).then(
        () => tell(t('grid.copied', { n })),
        () => tell(t('grid.copyAgain')),
      )
    })
    return () => watching.unsubscribe()
  }, [actor, tell, t])
}

/** One function as long as the grid is open. */
function useLatest<Args extends readonly unknown[]>(
  call: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(call)
  latest.current = call
  return useCallback((...args: Args) => latest.current(...args), [])
}

/** Builds the data that cells are drawn from: the same object while nothing of it changed. */
function useCells({
  total,
  added,
  blocks,
  edits,
  config,
  columns,
  mayEdit,
  mayAdd,
  open,
}: Grid['context']) {
  return useMemo(
    () => ({ total, added, blocks, edits, config, columns, mayEdit, mayAdd, open }),
    [total, added, blocks, edits, config, columns, mayEdit, mayAdd, open],
  )
}

function useBox({ top, bottom, left, right }: Grid['view']['box']) {
  return useMemo(() => ({ top, bottom, left, right }), [top, bottom, left, right])
}

/** Columns that the definition pins, else the first one. */
function frozenColumns(columns: Grid['view']['columns']): number {
  const free = columns.findIndex((field) => field.options.column?.fixed !== 'left')
  return Math.max(1, free)
}

type Selection = Grid['view']['selection']

const isSamePlace = (a: Selection, b: Selection): boolean =>
  a.anchor.row === b.anchor.row &&
  a.anchor.col === b.anchor.col &&
  a.focus.row === b.focus.row &&
  a.focus.col === b.focus.col

interface Scroll {
  /** Brings the active cell into sight again. */
  readonly reveal: () => void
  /** Whole columns are selected without going to their last row, whole rows without going to the last column. */
  readonly still: { rows: boolean; cols: boolean }
}

/** Keeps the cell that the keyboard moves in sight. */
function useScroll(
  frame: React.RefObject<HTMLDivElement | null>,
  view: Grid['view'],
  frozen: number,
  widths: Props['widths'],
): Scroll {
  const { anchor, focus } = view.selection
  const moving = anchor.row === focus.row && anchor.col === focus.col ? anchor : focus
  const { row, col } = moving
  const { columns } = view
  const latest = useRef(() => {})
  const still = useRef({ rows: false, cols: false })
  useLayoutEffect(() => {
    const show = () => {
      const body = scroller(frame.current)
      if (body === null) return
      const sizes = columns.map((field) => computeColumnWidth(field, widths))
      const sum = (until: number) => sizes.slice(0, until).reduce((a, b) => a + b, 0)
      const lead = frame.current?.querySelector('.bp6-table-row-headers')?.clientWidth ?? 0
      const head = frame.current?.querySelector('.bp6-table-column-headers')?.clientHeight ?? 0
      const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
      const height = body.clientHeight - head
      const { rows, cols } = still.current
      if (!rows && top < body.scrollTop) body.scrollTop = top
      else if (!rows && bottom > body.scrollTop + height) body.scrollTop = bottom - height
      if (cols || col < frozen) return
      const [left, right] = [sum(col) - sum(frozen), sum(col + 1)]
      const width = body.clientWidth - lead
      if (left < body.scrollLeft) body.scrollLeft = left
      else if (right > body.scrollLeft + width) body.scrollLeft = right - width
    }
    latest.current = show
    show()
  }, [frame, row, col, frozen, columns, widths])
  return useMemo(() => ({ reveal: () => latest.current(), still: still.current }), [])
}

/**
 * Sends events to the machine. A row that is gone to and a letter that is typed bring their cell back into
 * sight after the wheel has moved away, which a new place does by itself.
 */
function useSend(actor: Grid['actor'], { reveal, still }: Scroll): (event: GridEvent) => void {
  return useCallback(
    (event: GridEvent) => {
      const before = actor.getSnapshot().context.selection
      Object.assign(still, findWholeSelection(event, actor.getSnapshot().context))
      actor.send(event)
      const isPlaced = event.type === 'range.select' || event.type === 'edit.start'
      if (isPlaced && isSamePlace(before, actor.getSnapshot().context.selection)) reveal()
    },
    [actor, reveal, still],
  )
}

/** Whether an event selects all rows, and all columns. */
function findWholeSelection(event: GridEvent, context: Grid['context']): Scroll['still'] {
  if (event.type !== 'range.select') return { rows: false, cols: false }
  const { anchor, focus } = event
  return {
    rows: Math.abs(anchor.row - focus.row) + 1 === gridRowCount(context),
    cols: Math.abs(anchor.col - focus.col) + 1 === context.columns.length,
  }
}

/**
 * The input has the focus whenever the grid has it, so that the next key is typed into the cell. It gets
 * it while the mouse goes down: keys that wait behind a busy page come right after that event.
 */
function useFocus(
  frame: React.RefObject<HTMLDivElement | null>,
  input: React.RefObject<HTMLTextAreaElement | null>,
  step: Grid['view']['step'],
): void {
  useEffect(() => {
    const element = frame.current
    const toInput = () => input.current?.focus({ preventScroll: true })
    let isComposing = false
    const compose = ({ type }: CompositionEvent) => (isComposing = type === 'compositionstart')
    // Composed text belongs to its cell: it ends before another one is selected.
    const before = ({ target }: MouseEvent) => {
      if (isComposing && target !== input.current) input.current?.blur()
    }
    const down = (event: MouseEvent) => {
      if (!isOnCell(event)) return
      // The browser would give the focus to the page.
      event.preventDefault()
      toInput()
    }
    const up = () => {
      const active = document.activeElement
      if (active?.closest('.jw-cells__control') === null && active.closest('button') === null)
        toInput()
    }
    const ending = new AbortController()
    const { signal } = ending
    element?.addEventListener('compositionstart', compose, { signal })
    element?.addEventListener('compositionend', compose, { signal })
    element?.addEventListener('mousedown', before, { capture: true, signal })
    element?.addEventListener('mousedown', down, { signal })
    element?.addEventListener('mouseup', up, { signal })
    return () => ending.abort()
  }, [frame, input])
  useEffect(() => {
    const active = document.activeElement
    if (
      step === 'selecting' &&
      (active === document.body || active?.closest('.jw-cells__frame') !== null)
    )
      input.current?.focus({ preventScroll: true })
  }, [input, step])
}

/** On a cell or a heading, but on nothing that works by itself. */
function isOnCell({ button, target }: MouseEvent): boolean {
  return (
    button === 0 &&
    target instanceof Element &&
    target.closest('.bp6-table-cell, .bp6-table-header') !== null &&
    target.closest('button, .bp6-table-resize-handle-target') === null
  )
}
