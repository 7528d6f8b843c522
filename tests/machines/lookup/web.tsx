import { type Field, limits } from '@jiaowu/api'
import type { LookupEvent, lookupMachine } from '@jiaowu/machines'
import { useEffect, useState } from 'react'
import type { EventObject, SnapshotFrom } from 'xstate'
import { ChoicePicker } from '../../../apps/web/src/fields/choices/choice-picker.tsx'
import type { Spec } from '@jiaowu/path-tests'
import { formConfig } from '../entity-form/model.ts'
import type { LookupSeen } from './model.ts'
import { all, click, enter, find, need, offers, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'

/** What the page shows of a picker, and what it offers. */
export interface LookupScreen {
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly items: string
  readonly sought: string
  readonly page: string
  readonly problem: string
  readonly isEmpty: boolean
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof lookupMachine>
const lastPage = (s: Snapshot) => Math.max(1, Math.ceil(s.context.total / limits.lookupPageSize))

export function lookupOnScreen(spec: Spec<LookupSeen>): Spec<LookupScreen> {
  return {
    ...spec,
    project: project as unknown as Spec<LookupScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<LookupScreen>['covered']>,
  }
}

function project(s: Snapshot): LookupScreen {
  const c = s.context
  const isOpen = s.hasTag('open'),
    isBusy = s.hasTag('busy'),
    failed = s.matches({ open: 'failed' })
  return {
    isOpen,
    isBusy,
    items: isOpen ? c.items.map(({ name }) => name).join() : '',
    sought: isOpen ? c.searchKey : '',
    page: isOpen && lastPage(s) > 1 ? `${c.pageNum} / ${lastPage(s)}` : '',
    problem: failed ? String(c.problem?.message ?? '') : '',
    isEmpty: isOpen && !isBusy && !failed && c.items.length === 0,
    offers: [
      ...(['lookup.close', 'lookup.open', 'lookup.retry'] as const).filter((type) =>
        s.can({ type }),
      ),
      ...(s.can({ type: 'lookup.search', searchKey: '' }) ? ['lookup.search'] : []),
      ...(canTurn(s, c.pageNum - 1) ? ['previous'] : []),
      ...(canTurn(s, c.pageNum + 1) ? ['next'] : []),
    ]
      .sort()
      .join(),
  }
}

/** The picker turns one page at a time. */
function canTurn(s: Snapshot, to: number) {
  return (
    lastPage(s) > 1 &&
    to >= 1 &&
    to <= lastPage(s) &&
    Math.abs(to - s.context.pageNum) === 1 &&
    s.can({ type: 'lookup.page', pageNum: to })
  )
}

/** Events without a control: a page more than one away, and a parent that stays the same. */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as LookupEvent
  if (event.type === 'cascades.change') return s.context.cascades.faculty === event.cascades.faculty
  return event.type === 'lookup.page' && !canTurn(s, event.pageNum)
}

const field: Field = {
  ...(formConfig.fields.find(({ attrName }) => attrName === 'major') as Field),
  id: 'f',
}
const picker = '#picker',
  choices = '.jw-choices'

export function lookupScreen(): Screen<LookupScreen> {
  let change: (cascades: Readonly<Record<string, string>>) => void = () => {}
  const gestures = gesturesOf((cascades) => change(cascades))
  const onMount = (set: typeof change) => {
    change = set
  }
  return {
    mount: (_start, held) => ({ element: inConsole(held, <Picker onMount={onMount} />) }),
    callOf,
    background: () => answered([]),
    user: (step, held) => gestureOf(gestures, step, held),
    read,
  }
}

function gesturesOf(
  changeParent: (cascades: Readonly<Record<string, string>>) => void,
): Gestures<LookupEvent> {
  return {
    'lookup.open': () => click(`${picker}[aria-expanded=false]`),
    'lookup.close': () => click(`${picker}[aria-expanded=true]`),
    'lookup.search': ({ searchKey }) =>
      enter(need<HTMLInputElement>(`${choices} input`), searchKey),
    'lookup.page': ({ pageNum }) =>
      click(`${choices} [aria-label="${pageNum === 1 ? '上一页' : '下一页'}"]`),
    'lookup.retry': () => click(`${choices} button`, '重试'),
    'cascades.change': ({ cascades }) => changeParent(cascades),
  }
}

/** The picker of a field whose parent can change. */
function Picker({
  onMount,
}: {
  readonly onMount: (change: (cascades: Readonly<Record<string, string>>) => void) => void
}) {
  const [cascades, setCascades] = useState<Readonly<Record<string, string>>>({})
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

function callOf({ path, body }: Asked): PortCall | null {
  return path === '/entity/A/data/dicts/page'
    ? { port: 'find', input: { tag: 'A', ...body } }
    : null
}

function read(): LookupScreen {
  const isOpen = find(choices) !== undefined
  const alert = find(`${choices} [role=alert]`)
  const pairs: readonly (readonly [string, boolean])[] = [
    ['lookup.close', isOpen && offers(`${picker}[aria-expanded=true]`)],
    ['lookup.open', !isOpen && offers(`${picker}[aria-expanded=false]`)],
    ['lookup.retry', offers(`${choices} button`, '重试')],
    ['lookup.search', offers(`${choices} input`)],
    ['previous', offers(`${choices} [aria-label="上一页"]`)],
    ['next', offers(`${choices} [aria-label="下一页"]`)],
  ]
  return {
    isOpen,
    isBusy: find(`${choices} .bp6-spinner`) !== undefined,
    items: all('.jw-choice').map(textOf).join(),
    sought: find<HTMLInputElement>(`${choices} input`)?.value ?? '',
    page: textOf(find('.jw-choices__foot span:not([class])')),
    problem: textOf(alert).replace(/ ?重试$/, ''),
    isEmpty: find('.jw-choices__note', '暂无数据') !== undefined,
    offers: pairs
      .filter(([, offered]) => offered)
      .map(([name]) => name)
      .sort()
      .join(),
  }
}
