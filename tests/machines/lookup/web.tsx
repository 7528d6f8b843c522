import { type Field, limits } from '@jiaowu/api'
import type { LookupEvent, lookupMachine } from '@jiaowu/machines'
import { useEffect, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import { ChoicePicker } from '../../../apps/web/src/fields/choices/choice-picker.tsx'
import { formConfig } from '../entity-form/model.ts'
import { button, byRole, having, select } from '../../surfaces/web/dom/by-role.ts'
import { custom, fill, press, reachable, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, text, texts, textsLike, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { lookupModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof lookupMachine>
type Cascades = Readonly<Record<string, string>>
interface View {
  readonly s: Snapshot
  readonly isOpen: boolean
}
const field: Field = {
  ...(formConfig.fields.find(({ attrName }) => attrName === 'major') as Field),
  id: 'f',
}

const picker = select(field.uiLabel)
const search = select(zh('common.search'))
const turn = (to: 'previous' | 'next') => button(zh(`pager.${to}`))
const withState = (isExpanded: boolean) =>
  press(having(picker, (each) => each.getAttribute('aria-expanded') === String(isExpanded)))
let changeParent: (cascades: Cascades) => void = () => {}

export const lookupWeb = webDriverOf<Snapshot, LookupEvent, View>({
  model: lookupModels,
  view: (s) => ({ s, isOpen: s.hasTag('open') }),
  readings: {
    isOpen: { model: ({ isOpen }) => isOpen, screen: isShown(byRole('listbox')) },
    isBusy: { model: ({ s }) => s.hasTag('busy'), screen: isShown(byRole('progressbar')) },
    items: {
      model: ({ s, isOpen }) => (isOpen ? s.context.items.map(({ name }) => name).join() : ''),
      screen: texts(byRole('option')),
    },
    search: {
      model: ({ s, isOpen }) => (isOpen ? s.context.searchKey : ''),
      screen: value(search),
    },
    page: {
      model: ({ s, isOpen }) =>
        isOpen && lastPage(s) > 1 ? `${s.context.pageNum},/,${lastPage(s)}` : '',
      screen: textsLike(/^\d+$|^\/$/),
    },
    turns: {
      model: ({ s }) => [-1, 1].map((by) => canTurn(s, s.context.pageNum + by)).join(),
      screen: () =>
        [turn('previous'), turn('next')].map((each) => isShown(reachable(each))()).join(),
    },
    problem: {
      model: ({ s }) =>
        s.matches({ open: 'failed' })
          ? `${sentence(s.context.problem?.message)} ${zh('common.retry')}`
          : '',
      screen: text(byRole('alert')),
    },
  },
  says: {
    'common.empty': ({ s, isOpen }) =>
      isOpen && !s.hasTag('busy') && !s.matches({ open: 'failed' }) && s.context.items.length === 0,
  },
  gestures: {
    'lookup.open': withState(false),
    'lookup.close': withState(true),
    'lookup.search': ({ searchKey }) => fill(search, searchKey),
    'lookup.page': ({ pageNum }) => unlisted(press(turn(pageNum === 1 ? 'previous' : 'next'))),
    'lookup.retry': press(button(zh('common.retry'))),
    'cascades.change': ({ cascades }) => custom(() => changeParent(cascades)),
  },
  // The picker turns one page at a time; a parent changes to another value.
  hidden: (s, event) =>
    event.type === 'cascades.change'
      ? s.context.cascades.faculty === event.cascades.faculty
      : event.type === 'lookup.page' && !canTurn(s, event.pageNum),
  calls: {
    '/entity/A/data/dicts/page': ['find', ({ body }) => ({ tag: 'A', ...body })],
  },
  host,
})

function lastPage({ context: { total } }: Snapshot): number {
  return Math.max(1, Math.ceil(total / limits.lookupPageSize))
}

function canTurn(s: Snapshot, to: number): boolean {
  return (
    lastPage(s) > 1 &&
    to >= 1 &&
    to <= lastPage(s) &&
    Math.abs(to - s.context.pageNum) === 1 &&
    s.can({ type: 'lookup.page', pageNum: to })
  )
}

function host(): Host {
  const onMount = (set: typeof changeParent) => {
    changeParent = set
  }
  return {
    mount: (_start, held) => ({ element: inConsole(held, <Picker onMount={onMount} />) }),
    background: () => answered([]),
  }
}

/** The picker of a field whose parent can change. */
function Picker({ onMount }: { readonly onMount: (change: (cascades: Cascades) => void) => void }) {
  const [cascades, setCascades] = useState<Cascades>({})
  useEffect(() => onMount(setCascades), [onMount])
  return (
    <ChoicePicker
      tag="A"
      field={field}
      chosen={[]}
      multiple={false}
      disabled={false}
      invalid={false}
      id="picker"
      describedBy={undefined}
      cascades={cascades}
      onChange={() => {}}
    />
  )
}
