import type { DictItem } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { lookupView } from '@jiaowu/machines/lookup/view'
import { useEffect, useState } from 'react'
import { ChoicePicker } from '../../../apps/web/src/fields/choices/choice-picker.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { operable, page } from '../../surfaces/web/dom/by-role.ts'
import { custom, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { textsLike } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import { formConfig } from '../entity-form/model.ts'
import { lookupModels } from './model.ts'

type View = Shown<typeof lookupView>
type Cascades = Readonly<Record<string, string>>
const field: Field = {
  ...(formConfig.fields.find(({ attrName }) => attrName === 'major') as Field),
  id: 'f',
}
const search = page.select(zh('common.search'))
const previous = page.button(zh('pager.previous'))
const next = page.button(zh('pager.next'))
const whileExpanded = (isExpanded: boolean) =>
  page
    .select(field.uiLabel)
    .where((each) => each.getAttribute('aria-expanded') === String(isExpanded)).press
const isLookupOpen = ({ open }: View) => open
let changeParent: (cascades: Cascades) => void = () => {}
const onMount = (set: typeof changeParent) => {
  changeParent = set
}

export const lookupWeb = createWebDriver<typeof lookupView>({
  model: lookupModels,
  view: lookupView,
  readings: {
    isOpen: page.role('listbox').isShown.is(isLookupOpen),
    isBusy: page.role('progressbar').isShown.is(({ busy }) => busy),
    items: page
      .role('option')
      .texts.while(isLookupOpen, ({ items }) => items.map(({ name }) => name)),
    search: search.value.while(isLookupOpen, ({ searchKey }) => searchKey),
    page: textsLike(/^\d+$|^\/$/).while(isLookupOpen, ({ pageNum, pageCount }) =>
      pageCount > 1 ? `${pageNum},/,${pageCount}` : '',
    ),
    turns: operable(previous, next).is((view) =>
      [-1, 1].map((by) => canTurn(view, view.pageNum + by)).join(),
    ),
    problem: page.alert.text.while(
      ({ problem }: View) => problem !== null,
      ({ problem }) => `${sentence(problem?.message)} ${zh('common.retry')}`,
    ),
  },
  says: {
    'common.empty': ({ open, busy, problem, items }) =>
      open && !busy && problem === null && items.length === 0,
  },
  gestures: {
    'lookup.open': whileExpanded(false),
    'lookup.close': whileExpanded(true),
    'lookup.search': ({ searchKey }) =>
      searchKey === '' ? withoutOffer(search.fill('')) : search.fill(searchKey),
    'lookup.choose': ({ id }) => withoutOffer(page.role('option', `n${id}`).press),
    'lookup.enter': () => withoutOffer(custom(pressEnter)),
    'lookup.page': ({ pageNum }) => withoutOffer((pageNum === 1 ? previous : next).press),
    'lookup.retry': page.button(zh('common.retry')).press,
    'cascades.change': ({ cascades }) => custom(() => changeParent(cascades)),
  },
  hidden: {
    // A parent changes to another value.
    'cascades.change': ({ c }, { cascades }) => c.cascades.faculty === cascades.faculty,
    // An empty input cannot be emptied.
    'lookup.search': (view, { searchKey }) => searchKey === '' && view.searchKey === '',
    // A line can be pressed that is on screen, and Enter names the first of them.
    'lookup.choose': ({ items, open, busy }, { id }) =>
      !open || busy || !items.some((item) => item.id === id),
    'lookup.enter': ({ items, open }, { id }) => !open || id !== (items[0]?.id ?? null),
    // The picker turns one page at a time.
    'lookup.page': (view, { pageNum }) => !canTurn(view, pageNum),
  },
  calls: {
    '/entity/A/data/dicts/page': ['find', ({ body }) => ({ tag: 'A', ...body })],
  },
  host: (effects) => ({
    show: () => (
      <Picker
        onMount={onMount}
        onChange={([item]) => {
          const isTyped = (search.needed as HTMLElement as HTMLInputElement).value !== ''
          effects.add({ type: 'chosen', item, isTyped })
        }}
      />
    ),
    background: () => wrapData([]),
  }),
})

function canTurn({ s, pageNum, pageCount }: View, to: number): boolean {
  return (
    pageCount > 1 &&
    to >= 1 &&
    to <= pageCount &&
    Math.abs(to - pageNum) === 1 &&
    s.can({ type: 'lookup.page', pageNum: to })
  )
}

function pressEnter(): void {
  const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  search.needed.dispatchEvent(event)
}

/** The picker of a field whose parent can change. */
function Picker({
  onMount,
  onChange,
}: {
  readonly onMount: (change: (cascades: Cascades) => void) => void
  readonly onChange: (items: readonly DictItem[]) => void
}) {
  const [cascades, setCascades] = useState<Cascades>({})
  useEffect(() => onMount(setCascades), [onMount])
  return (
    <ChoicePicker
      tag="A"
      field={field}
      chosen={[]}
      multiple
      disabled={false}
      invalid={false}
      id="picker"
      describedBy={undefined}
      cascades={cascades}
      onChange={onChange}
    />
  )
}
