import { findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { type Message, messageText, t } from '@jiaowu/api/texts/index'
import { problemText } from '@jiaowu/api/problem'
import { valueText } from '@jiaowu/api/fields/money'
import type { Block } from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import {
  gridCell,
  type GridEditView,
  gridEditView,
  gridValues,
} from '@jiaowu/machines/grid-edit/view'
import type { gridEditMachine } from '@jiaowu/machines/grid-edit/machine'
import type { GridContext, GridEvent, Settlement } from '@jiaowu/machines/grid-edit/context'
import { formatRange } from '@jiaowu/machines/range-text'
import { useSelector } from '@xstate/react'
import { Box, type Key } from 'ink'
import { useEffect, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { TextInput } from '../text-input.tsx'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'
import { GridCells, measureGrid } from './grid-cells.tsx'
import { PasteReview } from './paste-review.tsx'
import { useKeys } from '../keys-held.ts'

export type GridActor = ActorRefFrom<typeof gridEditMachine>
interface Props {
  readonly actor: GridActor
  readonly locale: Locale
  /** Cells to paste; null: none. */
  readonly copied: Block | null
  /** The sign-in form covers the screen. */
  readonly isCovered?: boolean
  readonly onLeave: () => void
}

/** The rows of an entity as a spreadsheet: typing edits the cell, Enter goes down, Tab right. */
export function GridScreen({ actor, locale, copied, isCovered = false, onLeave }: Props) {
  const view = useView(actor, gridEditView)
  const context = useSelector(actor, (s: SnapshotFrom<typeof gridEditMachine>) => s.context)
  const send = (event: GridEvent) => actor.send(event)
  const said = useWords(actor, locale)
  useSight(view, send)
  useLeft(actor, onLeave)
  const bindings = listGridBindings({ view, locale, copied, send })
  useBindings(bindings, !isCovered)
  useTyping(view, send, !isCovered)
  if (view.step === 'opening') return <Text dimColor>{t(locale, 'common.loading')}</Text>
  const { row, col } = view.selection.anchor
  const cell = gridCell(context, row, col)
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, 'grid.name', { name: view.config?.name ?? '' })}</Text>
      {view.paste === null ? (
        <>
          <GridCells context={context} view={view} locale={locale} />
          <EditLine
            view={view}
            send={send}
            range={readRange(view, context, locale)}
            isActive={!isCovered}
          />
          <Text>
            {t(locale, 'cli.grid.place', { row: row + 1, total: view.rowCount })} ·{' '}
            {saveText(view, locale)}
          </Text>
          <ConflictBy view={view} locale={locale} />
          {cell?.theirs === null || cell?.theirs === undefined ? null : (
            <Text color="yellow">{t(locale, 'grid.stale', { value: cell.theirs })}</Text>
          )}
          {cell === null || cell.fault === null || cell.theirs !== null ? null : (
            <Fault>{words(cell.fault, locale)}</Fault>
          )}
          <Leaving view={view} locale={locale} />
        </>
      ) : (
        <PasteReview view={view} locale={locale} />
      )}
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      {view.saveProblem === null ? null : <Fault>{problemText(locale, view.saveProblem)}</Fault>}
      {said === '' ? null : <Text dimColor>{said}</Text>}
      <Keys bindings={bindings} />
    </Box>
  )
}

/** Closes the screen when nothing is unsaved any more, or was given up. */
function useLeft(actor: GridActor, onLeave: () => void): void {
  useEffect(() => {
    const watching = actor.on('left', onLeave)
    return () => watching.unsubscribe()
    // oxlint-disable-next-line react/exhaustive-deps -- `onLeave` is new at each render
  }, [actor])
}

interface Shown {
  readonly view: GridEditView
  readonly locale: Locale
}

/** The rows that leaving would give up. */
function Leaving({ view: { step, unsaved, leaving }, locale }: Shown) {
  if (step !== 'askingLeave') return null
  return (
    <Box flexDirection="column">
      <Text color="yellow">{t(locale, 'grid.leaveTitle', { n: unsaved })}</Text>
      {leaving.map(({ key, name: record, field, reason: why }) => {
        const name = record === '' ? t(locale, 'grid.newRow') : record
        const reason = why === null ? t(locale, 'grid.waits') : words(why, locale)
        return (
          <Text key={key}>
            {field === null
              ? t(locale, 'grid.unsavedRow', { name, reason })
              : t(locale, 'grid.unsavedCell', { name, label: field.uiLabel, reason })}
          </Text>
        )
      })}
    </Box>
  )
}

/** Shows the person and time of the newer values of the row. */
function ConflictBy({ view: { conflict }, locale }: Shown) {
  const by = conflict?.by ?? null
  return by === null ? null : (
    <Text color="yellow">
      {t(locale, 'grid.conflictBy', { name: by.name ?? t(locale, 'grid.system'), at: by.at })}
    </Text>
  )
}

function words(message: Message | string, locale: Locale): string {
  return typeof message === 'string' ? message : messageText(locale, message)
}

function saveText(view: GridEditView, locale: Locale): string {
  if (view.step === 'reverting') return t(locale, 'grid.reverting')
  if (view.step === 'fetching') return t(locale, 'grid.fetching')
  switch (view.save) {
    case 'saving':
      return t(locale, 'grid.saving', { n: view.unsaved })
    case 'waiting':
      return t(locale, 'grid.unsaved', { n: view.unsaved })
    case 'offline':
      return t(locale, 'grid.offline')
    case 'saved':
      return t(locale, 'grid.saved')
    default:
      return view.save satisfies never
  }
}

function useWords(actor: GridActor, locale: Locale): string {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const watching = actor.on('said', ({ message }: { message: Message | string }) =>
      setSaid(words(message, locale)),
    )
    return () => watching.unsubscribe()
  }, [actor, locale])
  return said
}

/** Loads what the screen shows. */
function useSight(view: GridEditView, send: (event: GridEvent) => void): void {
  const { first, last } = measureGrid(view)
  useEffect(() => {
    send({ type: 'rows.need', first, last })
    // oxlint-disable-next-line react/exhaustive-deps -- `send` is new at each render
  }, [first, last])
}

interface Offers {
  readonly view: GridEditView
  readonly locale: Locale
  readonly copied: Block | null
  readonly send: (event: GridEvent) => void
}

function listGridBindings(offers: Offers): readonly Binding[] {
  const { view, locale, send } = offers
  const leave = () => send({ type: 'grid.leave' })
  if (view.step === 'broken' || view.step === 'opening')
    return [
      ...offer(view.step === 'broken', '^r', t(locale, 'common.retry'), () =>
        send({ type: 'grid.refresh' }),
      ),
      ...offer(view.can.leave, 'esc', t(locale, 'cli.grid.leave'), leave),
    ]
  if (view.step === 'leaving' || view.step === 'askingLeave')
    return [
      ...offer(view.can.discard, '^x', t(locale, 'grid.leaveDiscard'), () =>
        send({ type: 'leave.discard' }),
      ),
      ...offer(view.can.retry, '^s', t(locale, 'grid.retryNow'), () =>
        send({ type: 'grid.retry' }),
      ),
      ...offer(true, 'esc', t(locale, 'grid.leaveStay'), () => send({ type: 'leave.stay' })),
    ]
  if (view.step === 'settling') return settlingBindings(offers)
  if (view.step === 'fetching')
    return offer(true, 'esc', t(locale, 'common.cancel'), () => send({ type: 'fetch.cancel' }))
  if (view.paste !== null)
    return [
      ...offer(view.can.confirm, 'enter', t(locale, 'grid.pasteConfirm'), () =>
        send({ type: 'paste.confirm' }),
      ),
      ...offer(view.can.cancel, 'esc', t(locale, 'common.cancel'), () =>
        send({ type: 'paste.cancel' }),
      ),
    ]
  if (view.step === 'editing')
    return [
      ...offer(true, 'tab', '', () => commit(view, send, 'right')),
      ...offer(true, 'shift-tab', '', () => commit(view, send, 'left')),
      ...offer(true, 'enter', t(locale, 'common.ok'), () => commit(view, send, 'down')),
      ...offer(true, '^s', t(locale, 'common.save'), () => commit(view, send, 'none')),
      ...offer(true, 'esc', t(locale, 'common.cancel'), () => send({ type: 'edit.cancel' })),
    ]
  return selectingBindings(offers)
}

/** Keys decide on the first line that has to be decided on. */
function settlingBindings({ view, locale, send }: Offers): readonly Binding[] {
  const first = view.match?.lines.find(({ state }) => state === 'open')
  const decide = (key: string, as: Settlement, label: string) =>
    offer(first?.settlements.includes(as) === true, key, label, () =>
      send({ type: 'line.settle', line: first?.line ?? 0, as }),
    )
  const open = view.match?.open ?? 0
  return [
    ...offer(view.can.confirm, 'enter', t(locale, 'grid.matchGoOn'), () =>
      send({ type: 'paste.confirm' }),
    ),
    ...decide('^x', 'left', t(locale, 'grid.lineLeft')),
    ...decide('^w', 'taken', t(locale, 'grid.lineTaken')),
    ...decide('^n', 'new', t(locale, 'grid.lineNew')),
    ...offer(open > 1, '^l', t(locale, 'grid.leaveLines', { n: open }), () =>
      send({ type: 'lines.settle', as: 'left' }),
    ),
    ...offer(true, 'esc', t(locale, 'common.cancel'), () => send({ type: 'paste.cancel' })),
  ]
}

function selectingBindings({ view, locale, copied, send }: Offers): readonly Binding[] {
  const { can } = view
  const on = (possible: boolean, key: string, label: string, event: GridEvent) =>
    offer(possible, key, label, () => send(event))
  return [
    ...on(can.edit, 'enter', t(locale, 'cli.grid.edit'), { type: 'edit.start', text: null }),
    ...on(can.select, '^x', t(locale, 'cli.grid.clear'), { type: 'cells.clear' }),
    ...on(can.select, '^d', t(locale, 'grid.fillDown'), { type: 'cells.fill', row: null }),
    ...on(copied !== null && can.select, '^v', t(locale, 'cli.grid.paste'), {
      type: 'paste.start',
      block: copied ?? [],
    }),
    ...on(can.add, '^n', t(locale, 'grid.addRow'), { type: 'row.add' }),
    ...on(can.undo, '^z', t(locale, 'grid.undo'), { type: 'history.undo' }),
    ...on(can.redo, '^y', t(locale, 'grid.redo'), { type: 'history.redo' }),
    ...on(can.revert, '^u', t(locale, 'grid.revert'), { type: 'row.revert' }),
    ...on(can.take, '^o', t(locale, 'grid.mine'), { type: 'stale.take', side: 'mine' }),
    ...on(can.take, '^t', t(locale, 'grid.theirs'), { type: 'stale.take', side: 'theirs' }),
    ...on(can.retry, '^s', t(locale, 'grid.retryNow'), { type: 'grid.retry' }),
    ...on(true, '^r', t(locale, 'common.refresh'), { type: 'grid.refresh' }),
    ...on(can.show, '^e', t(locale, 'grid.unsavedShow'), { type: 'unsaved.show' }),
    ...on(can.leave, 'esc', t(locale, 'cli.grid.leave'), { type: 'grid.leave' }),
  ]
}

/**
 * A choice of another entity is looked up by the server: its name goes the way of a paste, which
 * shows what it was taken for.
 */
function commit(
  view: GridEditView,
  send: (event: GridEvent) => void,
  move: 'down' | 'right' | 'left' | 'none',
): void {
  const field = view.columns[view.selection.anchor.col]
  const { editing } = view
  if (
    field !== undefined &&
    typeof editing === 'string' &&
    editing !== '' &&
    findKind(field.uiType).family === 'choice' &&
    field.dictData === undefined
  ) {
    send({ type: 'edit.cancel' })
    send({ type: 'paste.start', block: [[editing]] })
  } else send({ type: 'edit.commit', move })
}

const arrows = [
  ['upArrow', -1, 0],
  ['downArrow', 1, 0],
  ['leftArrow', 0, -1],
  ['rightArrow', 0, 1],
] as const

/** Arrows move, with Shift they select; letters begin to edit. */
function useTyping(view: GridEditView, send: (event: GridEvent) => void, isActive: boolean): void {
  useKeys(
    (input, key) => {
      if (view.step !== 'selecting') return
      const move = readGridMove(key, view)
      if (move !== null) send(move)
      else if (isText(input, key)) type(input, view, send)
    },
    { isActive },
  )
}

function readGridMove(key: Key, view: GridEditView): GridEvent | null {
  const extend = key.shift
  for (const [name, rows, cols] of arrows)
    if (key[name]) return { type: 'cell.move', rows, cols, extend }
  const { last, first } = measureGrid(view)
  const page = last - first
  if (key.pageUp) return { type: 'cell.move', rows: -page, cols: 0, extend }
  if (key.pageDown) return { type: 'cell.move', rows: page, cols: 0, extend }
  const far = view.rowCount + 1
  if (key.home) return { type: 'cell.move', rows: key.ctrl ? -far : 0, cols: -far, extend }
  if (key.end) return { type: 'cell.move', rows: key.ctrl ? far : 0, cols: far, extend }
  return key.tab ? { type: 'cell.move', rows: 0, cols: extend ? -1 : 1, extend: false } : null
}

function isText(input: string, key: Key): boolean {
  return input !== '' && !key.ctrl && !key.meta && !key.return && !key.escape && !key.tab
}

function type(text: string, view: GridEditView, send: (event: GridEvent) => void): void {
  const field = view.columns[view.selection.anchor.col]
  send({ type: 'edit.start', text })
  // A choice begins with what is chosen: here its name is typed instead.
  if (view.can.edit && field !== undefined && findKind(field.uiType).family === 'choice')
    send({ type: 'edit.change', value: text })
}

/** Shows the text that is typed into the active cell. */
function EditLine({
  view,
  send,
  range,
  isActive,
}: {
  readonly view: GridEditView
  readonly send: (event: GridEvent) => void
  /** Tells which values the cell takes. */
  readonly range: string
  readonly isActive: boolean
}) {
  const field = view.columns[view.selection.anchor.col]
  if (view.step !== 'editing' || field === undefined) return null
  return (
    <Box>
      <Text color="cyan">{field.uiLabel}: </Text>
      <TextInput
        value={typeof view.editing === 'string' ? view.editing : valueText(field, view.editing)}
        onChange={(value) => send({ type: 'edit.change', value })}
        isActive={isActive}
      />
      {range === '' ? null : <Text dimColor>{`  ${range}`}</Text>}
    </Box>
  )
}

function readRange(view: GridEditView, context: GridContext, locale: Locale): string {
  const { row, col } = view.selection.anchor
  const field = view.columns[col]
  return field === undefined ? '' : formatRange(field, gridValues(context, row), locale)
}
