import type { Field } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { type EntityListView, entityListView } from '@jiaowu/machines/entity-list/view'
import { Box, useWindowSize } from 'ink'
import { useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { KeysHeld } from '../keys-held.ts'
import { useTypeAhead } from '../type-ahead.ts'
import { type Binding, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'
import { askedQuestion, ListFoot, ListHead, ListState, Notices } from './list-head.tsx'
import { drawTable, listItems } from './list-items.ts'
import { listKeys, mainKeys, questionKeys, rowKeys } from './list-keys.ts'
import { ShownPart } from './list-part.tsx'
import type { ListNotice } from './list-notices.ts'
import type { ListPart, ListPartProps, ListScreenProps } from './list-props.ts'
import { ListTable } from './list-table.tsx'

/** The list of an entity: its rows, what can be done with them, and what stands over them. */
export function ListScreen(props: ListScreenProps) {
  // Nothing below hears a key while the sign-in form covers the screen.
  const isHeld = useContext(KeysHeld) || props.isCovered === true
  const { onForm } = props
  const [leaving, setLeaving] = useState<{ readonly id: string | null } | null>(null)
  // The list is wiped off before a form takes its place, so that no copy stays above it.
  useEffect(() => {
    if (leaving !== null) onForm(leaving.id)
  }, [leaving, onForm])
  if (leaving !== null) return null
  return (
    <KeysHeld.Provider value={isHeld}>
      <Box flexDirection="column" paddingX={1}>
        <Body {...props} onForm={(id) => setLeaving({ id })} />
      </Box>
    </KeysHeld.Provider>
  )
}

/** Lines that are not rows: name, heads, state, figures, counts, notices, keys and their margin. */
export const otherLines = 12
/** Columns of the margins, the cursor and the box of a row. */
const besideRow = 8

function Body(props: ListScreenProps) {
  const { actor, user, locale, notices } = props
  const view = useView(
    actor,
    useCallback((snapshot) => entityListView(snapshot, user), [user]),
  ) as EntityListView
  const said = useSyncExternalStore(notices.subscribe, notices.read)
  const [part, open] = useState<ListPart | null>(null)
  const [columns, setColumns] = useState(props.columns)
  const fields = (view.config?.fields ?? []).filter(({ attrName, isList }) =>
    columns === null ? isList === 1 : columns.includes(attrName),
  )
  const send = (event: Parameters<typeof actor.send>[0]) => {
    notices.clear()
    actor.send(event)
  }
  const question = askedQuestion(view, locale)
  const isOver = part !== null && part.part !== 'help' && question === null
  if (isOver && view.config !== null)
    return (
      <>
        <ListHead view={view} locale={locale} />
        <ShownPart
          {...props}
          at={part}
          view={view}
          config={view.config}
          send={send}
          shownColumns={fields.map(({ attrName }) => attrName)}
          setColumns={setColumns}
          open={open}
        />
      </>
    )
  return (
    <Rows
      {...props}
      view={view}
      said={said}
      fields={fields}
      send={send}
      open={open}
      isHelp={part !== null && question === null}
    />
  )
}

interface RowsProps extends ListScreenProps, Pick<ListPartProps, 'view' | 'send' | 'open'> {
  readonly said: readonly ListNotice[]
  readonly fields: readonly Field[]
  readonly isHelp: boolean
}

/** The rows with the keys that work, or all of these keys. */
function Rows(props: RowsProps) {
  const { view, locale, said, fields, isHelp, open } = props
  const [first, setFirst] = useState(0)
  const { columns: width, rows: height } = useWindowSize()
  const items = listItems(view)
  const shown = fields.slice(Math.max(0, Math.min(first, fields.length - 1)))
  const table = drawTable(view, shown, width - besideRow, locale)
  const question = askedQuestion(view, locale)
  const { cursor, bindings: moves } = useCursor(items.length, locale)
  const item = items[cursor]
  const keyProps = {
    ...props,
    row: item !== undefined && 'row' in item ? item.row : null,
    group: item !== undefined && 'section' in item ? item.section.key : null,
    undo: said.some(({ undo }) => undo === view.undo) ? view.undo : null,
  }
  const bindings = [
    ...rowKeys(keyProps),
    ...moves,
    ...offer(table.hidden.length > 0, ']', t(locale, 'cli.list.otherColumns'), () =>
      setFirst(first + 1),
    ),
    ...offer(first > 0, '[', '', () => setFirst(first - 1)),
    ...listKeys(keyProps),
  ]
  const asked = question === null ? bindings : questionKeys(keyProps)
  useBindings(asked, !isHelp)
  const isHeld = useContext(KeysHeld)
  useTypeAhead(['opening', 'loading', 'deleting'].includes(view.step) && !isHelp && !isHeld, asked)
  if (isHelp) return <Help bindings={bindings} locale={locale} close={() => open(null)} />
  const main = bindings.filter(({ key }) => mainKeys.includes(key))
  return (
    <>
      <ListHead view={view} locale={locale} />
      {items.length === 0 ? null : (
        <ListTable
          view={view}
          locale={locale}
          items={items}
          table={table}
          cursor={cursor}
          height={Math.max(3, height - otherLines)}
        />
      )}
      <ListState view={view} locale={locale} />
      {view.step === 'opening' || view.step === 'broken' ? null : (
        <ListFoot view={view} locale={locale} hidden={table.hidden} />
      )}
      <Notices notices={said} locale={locale} />
      {question === null ? null : <Text color="yellow">{question}</Text>}
      <Keys bindings={question === null ? main : asked} />
    </>
  )
}

function useCursor(count: number, locale: Locale) {
  const [at, setAt] = useState(0)
  const cursor = Math.max(0, Math.min(at, count - 1))
  const bindings = [
    ...offer(count > 1, '↓', t(locale, 'cli.key.move'), () =>
      setAt(Math.min(count - 1, cursor + 1)),
    ),
    ...offer(count > 1, '↑', '', () => setAt(Math.max(0, cursor - 1))),
  ]
  return { cursor, bindings }
}

/** All keys that work now. */
function Help({
  bindings,
  locale,
  close,
}: {
  readonly bindings: readonly Binding[]
  readonly locale: Locale
  readonly close: () => void
}) {
  const own = [...offer(true, 'esc', t(locale, 'cli.key.back'), close)]
  useBindings([...own, ...offer(true, '?', '', close)])
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>{t(locale, 'cli.list.keys')}</Text>
      <Keys bindings={bindings.filter(({ key }) => key !== '?' && key !== 'esc')} />
      <Keys bindings={own} />
    </Box>
  )
}
