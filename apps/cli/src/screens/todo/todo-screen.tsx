import { type TodoKind, todoKinds } from '@jiaowu/api/contract/entity/flow'
import type { Locale } from '@jiaowu/api/locale'
import { problemText } from '@jiaowu/api/problem'
import { messageText, t } from '@jiaowu/api/texts/index'
import { nameTodoDue, todoDueDays } from '@jiaowu/machines/todo-list/due'
import type { TodoListEvent, todoListMachine } from '@jiaowu/machines/todo-list/machine'
import { type TodoListView, todoListView } from '@jiaowu/machines/todo-list/view'
import { Box } from 'ink'
import { useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { Picker } from '../picker.tsx'
import { useTypeAhead } from '../type-ahead.ts'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'
import { BatchPart } from './batch-part.tsx'
import { CasePart } from './case-part.tsx'
import type { TodoRow } from './todo-row.ts'
import { TodoRows } from './todo-rows.tsx'

type TodoActor = ActorRefFrom<typeof todoListMachine>
interface Props {
  readonly actor: TodoActor
  readonly locale: Locale
  /** The lines of a case that is opened. */
  readonly readCase: (row: TodoRow, signal: AbortSignal) => Promise<readonly string[]>
  /** The sign-in form covers the screen. */
  readonly isCovered?: boolean
  readonly onLeave: () => void
}

/** The lists of cases, one of them with its cases, a case that is opened, and a decision on several. */
export function TodoScreen({ actor, locale, readCase, isCovered = false, onLeave }: Props) {
  const view = useView(actor, todoListView)
  const [at, setAt] = useState(0)
  const [picking, setPicking] = useState<'kind' | 'due' | null>(null)
  const [opened, setOpened] = useState<TodoRow | null>(null)
  const rows = view.rows ?? []
  const cursor = Math.min(at, Math.max(0, rows.length - 1))
  const isList = view.batch === null && opened === null && picking === null
  const bindings = [
    ...rowKeys({ view, locale, row: rows[cursor], send: actor.send, onOpen: setOpened }),
    ...offerKeys(view, actor.send),
    ...offer(rows.length > 1, '↓', t(locale, 'cli.key.move'), () =>
      setAt(Math.min(cursor + 1, rows.length - 1)),
    ),
    ...offer(rows.length > 1, '↑', '', () => setAt(Math.max(0, cursor - 1))),
    ...listKeys({ view, locale, send: actor.send, onPick: setPicking }),
    ...offer(true, 'esc', t(locale, 'cli.key.leave'), onLeave),
  ]
  useBindings(bindings, isList && !isCovered)
  useTypeAhead(view.step === 'reading' && isList && !isCovered, bindings)
  if (view.batch !== null)
    return (
      <BatchPart
        view={view}
        batch={view.batch}
        send={actor.send}
        locale={locale}
        isActive={!isCovered}
      />
    )
  if (opened !== null)
    return (
      <CasePart
        row={opened}
        locale={locale}
        readCase={readCase}
        isActive={!isCovered}
        onDecide={(event) => {
          setOpened(null)
          decideAlone(view, opened.key, event, actor.send)
        }}
        onClose={() => setOpened(null)}
      />
    )
  return (
    <Box flexDirection="column" paddingX={1}>
      <Tabs view={view} locale={locale} />
      {picking === 'kind' ? (
        <KindPicker view={view} locale={locale} send={actor.send} onEnd={() => setPicking(null)} />
      ) : picking === 'due' ? (
        <DuePicker view={view} locale={locale} send={actor.send} onEnd={() => setPicking(null)} />
      ) : (
        <>
          <ListPart view={view} locale={locale} cursor={cursor} />
          <Keys bindings={bindings} />
        </>
      )}
    </Box>
  )
}

type Send = (event: TodoListEvent) => void

/** Keys for the case at the cursor, and for all. */
function rowKeys({
  view: { can },
  locale,
  row,
  send,
  onOpen,
}: {
  readonly view: TodoListView
  readonly locale: Locale
  readonly row: TodoRow | undefined
  readonly send: Send
  readonly onOpen: (row: TodoRow) => void
}): readonly Binding[] {
  return [
    ...offer(row !== undefined, 'enter', t(locale, 'cli.key.open'), () => {
      if (row !== undefined) onOpen(row)
    }),
    ...offer(can.choose, 'space', t(locale, 'cli.key.choose'), () => {
      if (row?.isChoosable === true) send({ type: 'row.toggle', key: row.key })
    }),
    ...offer(can.choose, 'a', t(locale, 'todo.chooseAll'), () => send({ type: 'rows.toggle' })),
  ]
}

/** The decisions that all chosen cases take, by their number. */
function offerKeys({ step, offers }: TodoListView, send: Send): readonly Binding[] {
  return step === 'shown'
    ? offers.slice(0, 9).map(({ event, name }, i) => ({
        key: String(i + 1),
        label: name,
        run: () => send({ type: 'batch.ask', event }),
      }))
    : []
}

/** Another list, kind or page of it. */
function listKeys({
  view: { mine, tag, order, entities, pageNum, can, step },
  locale,
  send,
  onPick,
}: {
  readonly view: TodoListView
  readonly locale: Locale
  readonly send: Send
  readonly onPick: (part: 'kind' | 'due') => void
}): readonly Binding[] {
  const turn = (by: number) => send({ type: 'list.page', pageNum: pageNum + by })
  const choose = (by: number) => send({ type: 'list.choose', mine: findKind(mine, by) })
  const other = order === 'since' ? 'due' : 'since'
  const again = t(locale, step === 'failed' ? 'common.retry' : 'todo.refresh')
  return [
    ...offer(can.next, '→', t(locale, 'pager.next'), () => turn(1)),
    ...offer(can.previous, '←', t(locale, 'pager.previous'), () => turn(-1)),
    ...offer(true, 'tab', t(locale, 'cli.key.switch'), () => choose(1)),
    ...offer(true, 'shift-tab', '', () => choose(-1)),
    ...offer(entities.length > 0 || tag !== null, 'f', t(locale, 'todo.entity'), () =>
      onPick('kind'),
    ),
    ...offer(true, 'o', t(locale, `todo.order.${other}`), () =>
      send({ type: 'list.order', order: other }),
    ),
    ...offer(true, 'd', t(locale, 'todo.due'), () => onPick('due')),
    ...offer(true, 'r', again, () => send({ type: 'list.refresh' })),
  ]
}

function findKind(mine: TodoKind, by: number): TodoKind {
  return todoKinds[(todoKinds.indexOf(mine) + by + todoKinds.length) % todoKinds.length] ?? mine
}

/** Asks for a decision on one case, whatever else was chosen. */
function decideAlone(view: TodoListView, key: string, event: string, send: Send): void {
  for (const row of view.rows ?? [])
    if (row.isChosen !== (row.key === key)) send({ type: 'row.toggle', key: row.key })
  send({ type: 'batch.ask', event })
}

interface PartProps {
  readonly view: TodoListView
  readonly locale: Locale
}

function Tabs({ view: { mine }, locale }: PartProps) {
  return (
    <Box flexWrap="wrap" columnGap={3}>
      {todoKinds.map((kind) =>
        kind === mine ? (
          <Text key={kind} bold color="cyan">
            ▸ {t(locale, `todo.mine.${kind}`)}
          </Text>
        ) : (
          <Text key={kind} dimColor>
            {t(locale, `todo.mine.${kind}`)}
          </Text>
        ),
      )}
    </Box>
  )
}

function KindPicker({
  view: { tag, entities },
  locale,
  send,
  onEnd,
}: PartProps & { readonly send: Send; readonly onEnd: () => void }) {
  return (
    <Picker
      title={t(locale, 'todo.entity')}
      choices={[
        { value: null, label: t(locale, 'todo.everyEntity') },
        ...entities.map((each) => ({ value: each.tag, label: each.name, hint: each.tag })),
      ]}
      current={tag}
      onPick={(chosen) => {
        onEnd()
        send({ type: 'list.filter', tag: chosen })
      }}
      onClose={onEnd}
    />
  )
}

function DuePicker({
  view: { dueWithin },
  locale,
  send,
  onEnd,
}: PartProps & { readonly send: Send; readonly onEnd: () => void }) {
  return (
    <Picker
      title={t(locale, 'todo.due')}
      choices={todoDueDays.map((days) => ({
        value: days,
        label: messageText(locale, nameTodoDue(days)),
      }))}
      current={todoDueDays.find((days) => days === dueWithin) ?? null}
      onPick={(chosen) => {
        onEnd()
        send({ type: 'list.due', dueWithin: chosen })
      }}
      onClose={onEnd}
    />
  )
}

function ListPart({ view, locale, cursor }: PartProps & { readonly cursor: number }) {
  const {
    step,
    mine,
    tag,
    dueWithin,
    rows,
    total,
    pageNum,
    pages,
    entities,
    chosen,
    offers,
    problem,
  } = view
  const kind = entities.find((each) => each.tag === tag)?.name
  return (
    <Box flexDirection="column">
      {kind === undefined ? null : (
        <Text>
          {t(locale, 'todo.entity')}: {kind}
        </Text>
      )}
      {dueWithin === null ? null : (
        <Text>
          {t(locale, 'todo.due')}: {messageText(locale, nameTodoDue(dueWithin))}
        </Text>
      )}
      {step === 'failed' && problem !== null ? (
        <Fault>{problemText(locale, problem)}</Fault>
      ) : rows === null ? null : rows.length === 0 ? (
        <Text>{t(locale, `todo.none.${mine}`)}</Text>
      ) : (
        <TodoRows rows={rows} locale={locale} cursor={cursor} />
      )}
      {step === 'reading' ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
      {total === 0 ? null : (
        <Box columnGap={3}>
          <Text dimColor>{t(locale, 'todo.total', { n: total })}</Text>
          {pages === 1 ? null : (
            <Text dimColor>
              {pageNum} / {pages}
            </Text>
          )}
          {chosen === 0 ? null : <Text>{t(locale, 'todo.chosen', { n: chosen })}</Text>}
        </Box>
      )}
      {chosen > 0 && offers.length === 0 && step !== 'failed' ? (
        <Text color="yellow">{t(locale, 'todo.noCommon')}</Text>
      ) : null}
    </Box>
  )
}
