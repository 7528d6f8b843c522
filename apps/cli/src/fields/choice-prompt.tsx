import type { DictItem, Values, WireValue } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { findLocally, lookupActors } from '@jiaowu/machines/lookup/ports'
import { lookupMachine } from '@jiaowu/machines/lookup/machine'
import { lookupView } from '@jiaowu/machines/lookup/view'
import { Box } from 'ink'
import { useRef, useState } from 'react'
import { type ActorRefFrom, createActor } from 'xstate'
import { Fault, offer, Text, useBindings } from '../screens/ui.tsx'
import type { PromptProps } from './prompt-props.ts'
import { useView } from '../screens/use-view.ts'
import { useKeys } from '../screens/keys-held.ts'

const toChoiceItems = (value: WireValue): readonly DictItem[] => (Array.isArray(value) ? value : [])

interface ListProps {
  readonly actor: ActorRefFrom<typeof lookupMachine>
  readonly chosen: readonly DictItem[]
  readonly close: () => void
  readonly locale: PromptProps['locale']
}
const shownItems = 10

/**
 * Choices of a dictionary, an entity or a tree: Enter opens the list, typing searches it. A list
 * for several values stays open until Esc.
 */
export function ChoicePrompt({
  tag,
  field,
  value,
  values,
  isActive,
  onChange,
  find,
  locale,
  onOpen,
}: PromptProps) {
  const [actor, setActor] = useState<ActorRefFrom<typeof lookupMachine> | null>(null)
  const { multiple, tree } = findKind(field.uiType)
  const chosen = toChoiceItems(value)
  const open = () => {
    const opened = createActor(
      lookupMachine.provide({
        actors: lookupActors({
          find: field.dictData === undefined ? find : findLocally(field.dictData, tree),
        }),
      }),
      { input: { tag, fieldId: field.id, cascades: readCascades(field, values) } },
    )
    opened.on('chosen', ({ item }) => pickNow.current(item))
    opened.start()
    opened.send({ type: 'lookup.open' })
    setActor(opened)
    onOpen(true)
  }
  const close = () => {
    actor?.stop()
    setActor(null)
    onOpen(false)
  }
  const pick = ({ id, name }: DictItem) => {
    if (!multiple) {
      close()
      onChange([{ id, name }])
      return
    }
    onChange(
      chosen.some((each) => each.id === id)
        ? chosen.filter((each) => each.id !== id)
        : [...chosen, { id, name }],
    )
  }
  const pickNow = useRef(pick)
  pickNow.current = pick
  useBindings(
    [
      ...offer(true, 'enter', '', open),
      ...offer(true, 'space', '', open),
      ...offer(chosen.length > 0, '^u', '', () => onChange([])),
    ],
    isActive && actor === null,
  )
  return (
    <Box flexDirection="column">
      <Text inverse={isActive}>
        {chosen.map(({ name, id }) => name || id).join(', ') || '-'}
        {isActive ? ' ▾' : ''}
      </Text>
      {actor === null ? null : <List actor={actor} chosen={chosen} close={close} locale={locale} />}
    </Box>
  )
}

function readCascades(field: Field, values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (field.options.cascades ?? [])
      .map(
        ({ attrName }) => [attrName, toChoiceItems(values[attrName] ?? null)[0]?.id ?? ''] as const,
      )
      .filter(([, id]) => id !== ''),
  )
}

function List({ actor, chosen, close, locale }: ListProps) {
  const view = useView(actor, lookupView)
  const [wanted, setAt] = useState(0)
  // A tree arrives as one page with all items, so the search runs here.
  const isWhole = view.items.length > shownItems
  const items = isWhole
    ? view.items.filter(({ name }) => name.toLowerCase().includes(view.searchKey.toLowerCase()))
    : view.items
  const at = Math.min(wanted, Math.max(0, items.length - 1))
  const from = Math.max(0, Math.min(at - Math.floor(shownItems / 2), items.length - shownItems))
  const search = (searchKey: string) => {
    setAt(0)
    actor.send({ type: 'lookup.search', searchKey })
  }
  const page = (pageNum: number) => {
    if (pageNum >= 1 && pageNum <= view.pageCount) {
      setAt(0)
      actor.send({ type: 'lookup.page', pageNum })
    }
  }
  useKeys((input, key) => {
    if (key.escape || key.tab) close()
    else if (key.return) {
      actor.send({ type: 'lookup.enter', id: items[at]?.id ?? null })
    } else if (key.upArrow || key.downArrow) {
      // The lines of an older search stand still until the answer replaces them.
      if (!view.busy) setAt(clamp(at + (key.upArrow ? -1 : 1), items.length - 1))
    } else if (key.pageDown) page(view.pageNum + 1)
    else if (key.pageUp) page(view.pageNum - 1)
    else if (key.ctrl && input === 'r') actor.send({ type: 'lookup.retry' })
    else if (key.backspace || key.delete) search(view.searchKey.slice(0, -1))
    else if (!key.ctrl && !key.meta && input !== '') search(view.searchKey + input)
  })
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text>
        /{view.searchKey}
        {view.busy ? ` ${t(locale, 'common.loading')}` : ''}
      </Text>
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      {!view.busy && items.length === 0 && view.problem === null ? (
        <Text dimColor>{t(locale, 'common.empty')}</Text>
      ) : null}
      {items.slice(from, from + shownItems).map((item, index) => (
        <Text key={item.id} inverse={!view.busy && from + index === at} dimColor={view.busy}>
          {chosen.some(({ id }) => id === item.id) ? '✓ ' : '  '}
          {'  '.repeat(measureDepth(item, view.items))}
          {item.name}
          {item.note === undefined ? null : <Text dimColor>{`  ${item.note}`}</Text>}
        </Text>
      ))}
      {view.pageCount > 1 && !isWhole ? (
        <Text dimColor>
          {view.pageNum}/{view.pageCount}
        </Text>
      ) : null}
    </Box>
  )
}

function clamp(at: number, last: number): number {
  return Math.max(0, Math.min(at, last))
}

/** Number of ancestors of a tree item. */
function measureDepth(item: DictItem, items: readonly DictItem[]): number {
  const above = items.find(({ id }) => id === item.pid)
  return above === undefined || above === item ? 0 : 1 + measureDepth(above, items)
}
