import { definitionOf, problemText, say, t, type TextKey } from '@jiaowu/api'
import {
  type DesignerEdit,
  type DesignerEvent,
  type designerMachine,
  designerView,
  type DesignerView,
} from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import { DesignerPage } from '../../../apps/web/src/features/designer/designer-page.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { designColumns, type DesignerSeen, savedDesign } from './model.ts'
import {
  all,
  Absent,
  click,
  enter,
  find,
  leave,
  need,
  offers,
  press,
  textOf,
  usable,
} from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { newToasts, toastText } from '../../surfaces/web/effects.ts'

/** What a person sees of the designer, and (`offers`) what the screen lets them do. */
export interface DesignerScreen {
  readonly step: string
  readonly view: string
  readonly name: string
  readonly columns: string | null
  readonly fields: string | null
  /** What a question, a choice or the editor says of itself. */ readonly asks: string
  readonly json: string
  readonly state: string
  readonly faults: string
  readonly problem: string
  readonly stale: string
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof designerMachine>
const empty: DesignerScreen = {
  step: '',
  view: '',
  name: '',
  columns: null,
  fields: null,
  asks: '',
  json: '',
  state: '',
  faults: '',
  problem: '',
  stale: '',
  offers: '',
}
const isOpen = (s: Snapshot) => s.matches('open')
const [zhKeys, zhFormat] = [t('zh-CN', 'designer.json.keys'), t('zh-CN', 'design.checkFormat')]

const plain = [
  'history.undo',
  'history.redo',
  'json.open',
  'preview.close',
  'design.save',
  'design.leave',
  'impact.accept',
  'leave.confirm',
  'stale.save',
] as const

/** `marked`: whether it matters which field is selected. A page that goes to a fault selects its field, of which the machine knows only when told. */
export function designerOnScreen(marked: boolean) {
  return (spec: Spec<DesignerSeen>): Spec<DesignerScreen> => ({
    ...spec,
    project: ((s: Snapshot) =>
      marked ? project(s) : unmarked(project(s))) as unknown as Spec<DesignerScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<DesignerScreen>['covered']>,
  })
}

function project(s: Snapshot): DesignerScreen {
  const view = designerView(s)
  const problem = view.problem === null ? '' : problemText('zh-CN', view.problem)
  if (view.step === 'loading' || view.step === 'left') return { ...empty, step: view.step }
  if (view.step === 'failed')
    return { ...empty, step: 'failed', problem, offers: 'design.retry,design.leave' }
  const showsFields = view.view === 'designing' || view.view === 'json'
  return {
    step: view.step,
    view: view.view,
    name: view.draft.name,
    state: stateOf(view),
    faults: faultsOf(view),
    problem,
    offers: offersOf(s, view),
    fields: showsFields
      ? view.fields
          .map(
            ({ field, selected, custom: isCustom }) =>
              `${field.uiLabel === '' ? '（未命名）' : field.uiLabel} ${field.attrName}${isCustom ? ' 自定义' : ''}${selected ? '*' : ''}`,
          )
          .join('|')
      : null,
    columns: showsFields
      ? view.columns
          .map(({ column: { columnName, columnType, columnComment }, fieldId }) =>
            columnText(columnName, columnType, columnComment, fieldId !== null, view.can.edit),
          )
          .join('|')
      : null,
    asks: asksOf(view),
    json: jsonOf(view),
    stale: (view.stale ?? []).map(({ part, side }) => `${part}:${side}`).join(),
  }
}

function stateOf(view: DesignerView): string {
  return view.checking
    ? '检查中…'
    : view.isNew
      ? '尚未保存'
      : view.unsaved
        ? '有未保存的修改'
        : `已保存 · 第 ${view.version ?? 0} 版`
}

function faultsOf({ findings }: DesignerView): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return errors > 0 ? `${errors} 个错误` : findings.length > 0 ? `${findings.length} 个提醒` : ''
}

/** What stands in front takes the keys: a question before the page, the JSON editor before both. */
function offersOf(s: Snapshot, view: DesignerView): string {
  const may = (...types: readonly (typeof plain)[number][]) =>
    types.filter((type) => s.can({ type })).join()
  if (view.step === 'confirming') return may('impact.accept')
  if (view.step === 'leaving') return may('leave.confirm')
  if (view.step === 'stale') return may('stale.save')
  if (view.view === 'json') return 'json.apply'
  return may(
    'history.undo',
    'history.redo',
    'json.open',
    'preview.close',
    'design.save',
    'design.leave',
  )
}

function custom({ field }: Extract<DesignerEdit, { type: 'custom.add' }>) {
  press(all('.jw-dfields button').find((each) => textOf(each) === '自定义字段') ?? need('absent'))
  return () => {
    const input = (name: string) => need<HTMLInputElement>(`.jw-custom-field input[id$="-${name}"]`)
    for (const name of ['uiLabel', 'attrName', 'columnType'] as const)
      enter(input(name), field[name])
    return () => {
      click('.jw-custom-field button[type=submit]')
      return () => {
        const cancel = find('.jw-custom-field .bp6-dialog-footer button', '取消')
        if (cancel !== undefined) press(cancel)
      }
    }
  }
}

function columnText(
  name: string,
  type: string,
  comment: string,
  isUsed: boolean,
  isFree: boolean,
): string {
  return `${name} ${type}${comment === '' ? '' : ` · ${comment}`}${isUsed ? '✓' : ''}${isFree ? '' : ' -'}`
}

/** The words of what stands in front. */
function asksOf({ step, json }: DesignerView): string {
  const zh = (key: TextKey) => say('zh-CN', { key })
  return step === 'leaving'
    ? zh('designer.leave')
    : step === 'confirming'
      ? zh('designer.impact.title')
      : step === 'stale'
        ? zh('designer.stale.title') + zh('designer.stale.text')
        : json === null
          ? ''
          : zh('designer.json.title')
}

function jsonOf({ json }: DesignerView): string {
  return json === null
    ? ''
    : `${json.text}\n${json.fault === null ? zhKeys : json.fault.key === 'design.checkFormat' ? zhFormat : `${zhFormat}: ${say('zh-CN', json.fault)}`}`
}

function unmarked(screen: DesignerScreen): DesignerScreen {
  return {
    ...screen,
    fields: screen.fields?.replaceAll('*', '') ?? null,
  }
}

function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as DesignerEvent
  const view = designerView(s)
  if (s.matches('loading')) return true
  if (!isOpen(s)) return false
  if (view.step === 'confirming') return !event.type.startsWith('impact.')
  if (view.step === 'leaving') return !event.type.startsWith('leave.')
  if (view.step === 'stale') return !event.type.startsWith('stale.')
  if (view.view === 'json') return !event.type.startsWith('json.') || event.type === 'json.open'
  // While it is checked and saved the page takes no input.
  if (view.step !== 'editing') return true
  const previewing = view.view !== 'designing'
  if (event.type === 'draft.edit')
    return previewing
      ? event.edit.type !== 'field.toggle' || s.context.selected !== event.edit.id
      : editCovered(s, event.edit)
  if (event.type === 'field.select')
    return previewing || !s.context.draft.fields.some(({ id }) => id === event.id)
  return false
}

/** Gestures that need something that is not there: the page behind a question or an editor, a segment of another kind, a switch that stands so already. */
function editCovered(s: Snapshot, edit: DesignerEdit): boolean {
  const { options, buttons } = s.context.draft
  switch (edit.type) {
    case 'column.add':
      return !s.context.columns.some(({ columnName }) => columnName === edit.columnName)
    case 'option.set':
      return (
        edit.patch.singleSelect !== undefined && options.singleSelect === edit.patch.singleSelect
      )
    case 'serial.add':
      return options.serialNumType !== 2
    // A segment keeps its kind on the screen: another is added and the old one removed.
    case 'serial.set':
      return true
    case 'serial.remove':
      return options.serialNumType !== 2 || options.serialNumConfig.length === 0
    case 'button.set':
    case 'button.remove':
      return buttons.length === 0
    case 'button.move':
      return buttons.length <= edit.to
    case 'field.move':
    case 'field.remove':
    case 'field.set':
    case 'field.toggle':
      return !s.context.draft.fields.some(({ id }) => id === edit.id)
    default:
      return false
  }
}

const bar = '.jw-design__bar button',
  entityButton = '.jw-dfields > header button'
const row = (id: string): HTMLElement => need(`[data-field="${id}"]`)
const rowHeight = 40
const edits: {
  readonly [T in DesignerEdit['type']]: (edit: Extract<DesignerEdit, { type: T }>) => unknown
} = {
  'column.add': ({ columnName, at }) => {
    const column = need(`[data-column="${columnName}"]`)
    if (at === undefined) {
      press(column)
      return undefined
    }
    return drag(column, at)
  },
  'group.add': ({ at }) =>
    at === undefined ? click('.jw-dfields__group') : drag(need('.jw-dfields__group'), at),
  'custom.add': custom,
  'field.move': ({ id, to }) => {
    const rows = all('[data-row]')
    const at = rows.findIndex((each) => each.contains(row(id)))
    return drag(need('.jw-dfield__grip', undefined, rows[at] ?? document), to > at ? to + 1 : to)
  },
  'field.remove': ({ id }) =>
    click('.jw-dfield__remove', undefined, row(id).parentElement ?? document),
  'field.set': ({ id, patch }) =>
    within(id, () => commit(control('uiLabel', 'input'), patch.uiLabel ?? '')),
  'field.toggle': ({ id, flag }) =>
    find('.jw-dfields') === undefined
      ? press(control(flag, 'input'))
      : within(id, () => press(control(flag, 'input'))),
  'entity.set': ({ patch }) =>
    within(null, () => commit(control('name', 'input'), patch.name ?? '')),
  'option.set': ({ patch }) =>
    within(null, () => {
      if (patch.singleSelect === undefined)
        enter(
          control<HTMLSelectElement>('options.serialNumType', 'select'),
          String(patch.serialNumType),
        )
      else press(control('options.singleSelect', 'input'))
    }),
  'serial.add': ({ segment }) =>
    within(null, () =>
      press(
        all('[data-path="options.serialNumConfig"] .bp6-button-group button')[segment - 1] ??
          need('absent'),
      ),
    ),
  'serial.set': () => {
    throw new Absent('a segment keeps its kind')
  },
  'serial.remove': ({ index }) =>
    within(null, () => press(all('.jw-cfg__item.is-segment .bp6-button')[index] ?? need('absent'))),
  'button.add': () =>
    within(null, () =>
      press(
        all('.jw-cfg__list > button').find((each) => textOf(each) === '添加按钮') ?? need('absent'),
      ),
    ),
  'button.set': ({ patch }) =>
    within(null, () => {
      const head = need('[data-button]')
      if (head.getAttribute('aria-expanded') === 'false') press(head)
      return () => {
        const input = need<HTMLInputElement>('.jw-cfg__button [data-path$=".name"] input')
        enter(input, patch.name ?? '')
        leave(input)
      }
    }),
  'button.move': ({ index, to }) =>
    within(null, () => {
      const head = all('[data-button]')[index] ?? need('absent')
      head.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: to > index ? 'ArrowDown' : 'ArrowUp',
          altKey: true,
          bubbles: true,
          cancelable: true,
        }),
      )
    }),
  'button.remove': () => within(null, () => click('.jw-cfg__head .bp6-button')),
  'draft.replace': () => {
    press(labelled('历史版本'))
    return () => {
      click('.jw-revisions li button')
      return () => click('.jw-revisions__take button')
    }
  },
}
interface Editor {
  readonly state: { readonly doc: { readonly length: number; toString(): string } }
  dispatch(change: object): void
}
const foot = '.jw-json .bp6-dialog-footer button',
  question = '.bp6-alert button',
  impact = '.jw-impact button',
  stale = '.jw-stale-design button'

const gestures: Gestures<DesignerEvent> = {
  'draft.edit': ({ edit }) => (edits[edit.type] as (edit: DesignerEdit) => unknown)(edit),
  'history.undo': () => press(labelled('撤销')),
  'history.redo': () => press(labelled('重做')),
  'field.select': ({ id }) => press(row(id)),
  'entity.select': () => press(need(entityButton)),
  'preview.show': ({ kind }) => {
    const choose = () =>
      click(
        '.jw-design__kinds .bp6-button-group button',
        { list: '列表', form: '表单', details: '详情' }[kind],
      )
    if (find('.jw-design__kinds') !== undefined) return choose()
    press(labelled('预览'))
    return choose
  },
  'preview.close': () => click('.jw-design__kinds button', '返回编辑'),
  'json.open': () => press(labelled('JSON')),
  'json.change': ({ text }) => typeJson(text),
  'json.format': () => click(foot, '格式化'),
  'json.apply': () => click(foot, '确定'),
  'json.cancel': () => click(foot, '取消'),
  'design.save': ({ note }) => {
    const save = need('.jw-design__save')
    if (!usable(save)) throw new Absent('nothing to save')
    if (note === undefined) return press(save)
    enter(need('.jw-design__note input'), note)
    return () => click('.jw-design__save')
  },
  'design.retry': () => click('.jw-state button', '重试'),
  'design.leave': () => press(find('.jw-state button', '返回实体列表') ?? labelled('返回实体列表')),
  'impact.accept': () => click(impact, '仍要保存'),
  'impact.cancel': () => click(impact, '取消'),
  'leave.confirm': () => click(question, '离开'),
  'leave.cancel': () => click(question, '取消'),
  'stale.choose': ({ part, side }) => {
    const radio = all<HTMLInputElement>(`[data-part="${part}"] input`)[side === 'mine' ? 0 : 1]
    if (radio === undefined) throw new Absent(part)
    press(radio)
  },
  'stale.save': () => click(stale, '合并并保存'),
  'stale.cancel': () => click(stale, '取消'),
}
const kinds = { 列表: 'list', 表单: 'form', 详情: 'details' } as const

/** The definition that the history holds. */
export const earlierDesign = definitionOf(savedDesign(1, { name: '旧名' }))
/** In saving it does not matter which field is selected: the page that goes to a fault selects its field. */
export const isMarked = (part: string): boolean => part !== 'save'

/** `earlier`: the definition that the history holds. */
export function designerScreen(earlier: object, marked: boolean): Screen<DesignerScreen> {
  let told: string[] = []
  let hasLeft = false
  const toasts = newToasts()
  return {
    mount: (start, held) => {
      const stop = layRows()
      // The page goes to a fault: scrolled to and given the keyboard.
      Element.prototype.scrollIntoView = function shown(this: Element) {
        const part = this.closest<HTMLElement>('.jw-dconfig [data-path]')?.dataset.path
        const attrName = textOf(find('.jw-dfield__main[aria-pressed=true] code'))
        if (part !== undefined)
          told.push(emitEffect({ type: 'invalid', path: `fields.${attrName}.${part}`, attrName }))
      }
      return {
        element: inConsole(
          held,
          <DesignerPage tag="LIB_LOAN" table={start === 'table' ? 'loan' : null} />,
        ),
        stop,
      }
    },
    callOf,
    background: ({ path }) =>
      answered(
        path === '/table/loan/fields'
          ? designColumns
          : path.endsWith('/revisions')
            ? [{ version: 1, note: null, createTime: '2026-01-01 00:00:00', createUser: null }]
            : path.includes('/revisions/')
              ? { version: 1, note: null, createTime: '', createUser: null, definition: earlier }
              : path.endsWith('/page')
                ? { records: [], total: 0, size: 1, current: 1 }
                : {},
      ),
    reply: (port, { output }, { path }) => {
      const data = output as { readonly stored?: unknown; readonly draft?: unknown }
      return answered(
        port === 'loadDesign' ? (path === '/table/loan/draft' ? data.draft : data.stored) : output,
      )
    },
    user: (step, held) => gestureOf(gestures, step, held),
    read: () => (marked ? read() : unmarked(read())),
    told: () => {
      if (!hasLeft && read().step === 'left') {
        hasLeft = true
        told.push(emitEffect({ type: 'left' }))
      }
      const saved = toasts()
        .filter(
          (toast) =>
            toast.classList.contains('bp6-intent-success') &&
            toastText(toast) === say('zh-CN', { key: 'design.saved' }),
        )
        .map(() =>
          emitEffect({
            type: 'saved',
            tag: textOf(find('.jw-design__name code')),
            message: { key: 'design.saved' },
          }),
        )
      const now = [...told, ...saved]
      told = []
      return now
    },
  }
}

/** Rows have a height, as in a window: a drop falls between them. */
function layRows(): () => void {
  const { getBoundingClientRect } = Element.prototype
  Element.prototype.getBoundingClientRect = function rect(this: Element) {
    const at = this.matches('[data-row]') ? all('[data-row]').indexOf(this as HTMLElement) : -1
    return at >= 0
      ? new DOMRect(0, at * rowHeight, 300, rowHeight)
      : this.matches('.jw-dpanel__scroll')
        ? new DOMRect(0, 0, 300, 2000)
        : getBoundingClientRect.call(this)
  }
  return () => {
    Element.prototype.getBoundingClientRect = getBoundingClientRect
  }
}

function callOf({ method, path, body }: Asked, start: string): PortCall | null {
  const { version = null, note = null, ...draft } = body
  if (path === '/entity/check') return { port: 'checkDesign', input: { draft: body } }
  if (path === '/entity' && method === 'POST')
    return { port: 'saveDesign', input: { draft, version: null, note } }
  if (path === '/entity/tag/LIB_LOAN' && method === 'PUT')
    return { port: 'saveDesign', input: { draft, version, note } }
  if (start === 'table' ? path === '/table/loan/draft' : path === '/entity/tag/LIB_LOAN')
    return {
      port: 'loadDesign',
      input: start === 'table' ? { table: 'loan', tag: null } : { tag: 'LIB_LOAN' },
    }
  return null
}

function read(): DesignerScreen {
  if (find('.jw-state[role=status]') !== undefined && find('.jw-design') === undefined)
    return { ...empty, step: 'loading' }
  if (find('.jw-design') === undefined && find('.jw-state') !== undefined)
    return {
      ...empty,
      step: 'failed',
      problem: textOf(find('.jw-state__title')),
      offers: ['重试', '返回实体列表']
        .filter((text) => offers('.jw-state button', text))
        .map((text) => (text === '重试' ? 'design.retry' : 'design.leave'))
        .join(),
    }
  const page = find('.jw-design')
  if (page === undefined) return { ...empty, step: 'left' }
  const view =
    find('.jw-json') !== undefined
      ? 'json'
      : find('.jw-design__kinds') === undefined
        ? 'designing'
        : kinds[textOf(find('.jw-design__kinds [aria-pressed=true]')) as keyof typeof kinds]
  const [name] = need('.jw-design__name').childNodes
  return {
    step: page.dataset.step ?? '',
    view,
    name: name?.textContent ?? '',
    state: textOf(find('.jw-design__state')),
    faults: textOf(find('.jw-design__faults')),
    problem: textOf(find('.jw-design > .jw-fault')),
    offers: offersNow(view),
    fields:
      find('.jw-dfields') === undefined
        ? null
        : all('.jw-dfield')
            .map(
              (line) =>
                `${textOf(find('.jw-dfield__label', undefined, line)).replace(/\*$/, '')} ${textOf(find('.jw-dfield__main code', undefined, line))}${find('.bp6-tag', undefined, line) === undefined ? '' : ` ${textOf(find('.bp6-tag', undefined, line))}`}${find('[aria-pressed=true]', undefined, line) === undefined ? '' : '*'}`,
            )
            .join('|'),
    columns:
      find('.jw-dcols') === undefined
        ? null
        : all<HTMLButtonElement>('.jw-dcol')
            .map((column) => {
              const [type = '', comment = ''] = textOf(find('small', undefined, column)).split(
                ' · ',
              )
              return columnText(
                textOf(find('code', undefined, column)),
                type,
                comment,
                column.classList.contains('is-used'),
                !column.disabled,
              )
            })
            .join('|'),
    asks: [
      '.bp6-alert p',
      '.jw-impact h2',
      '.jw-stale-design h2',
      '.jw-stale-design p',
      '.jw-json h2',
    ]
      .map((part) => textOf(find(part)))
      .join(''),
    json: jsonNow(),
    stale: all('.jw-stale-design tbody tr')
      .map(
        (line) =>
          `${line.dataset.part ?? ''}:${find<HTMLInputElement>('input', undefined, line)?.checked === true ? 'mine' : 'theirs'}`,
      )
      .join(),
  }
}

function offersNow(view: string): string {
  const may = (...pairs: readonly (readonly [string, boolean])[]) =>
    pairs
      .filter(([, is]) => is)
      .map(([type]) => type)
      .join()
  if (find('.jw-impact') !== undefined) return may(['impact.accept', offers(impact, '仍要保存')])
  if (find('.bp6-alert') !== undefined) return may(['leave.confirm', offers(question, '离开')])
  if (find('.jw-stale-design') !== undefined)
    return may(['stale.save', offers(stale, '合并并保存')])
  if (view === 'json') return may(['json.apply', offers(foot, '确定')])
  return may(
    ['history.undo', usable(labelled('撤销'))],
    ['history.redo', usable(labelled('重做'))],
    ['json.open', usable(labelled('JSON'))],
    ['preview.close', offers('.jw-design__kinds button', '返回编辑')],
    [
      'design.save',
      offers('.jw-design__save') && find('.jw-design__save.bp6-loading') === undefined,
    ],
    ['design.leave', usable(labelled('返回实体列表'))],
  )
}

function labelled(label: string): HTMLElement {
  return (
    all<HTMLElement>(bar).find(
      (each) => each.getAttribute('aria-label') === label || textOf(each) === label,
    ) ??
    ((): never => {
      throw new Absent(label)
    })()
  )
}

function jsonNow(): string {
  return find('.jw-json') === undefined
    ? ''
    : `${jsonEditor()?.state.doc.toString() ?? ''}\n${textOf(find('.jw-json__fault') ?? find('.jw-json .bp6-dialog-footer small'))}`
}

/** The editor of the JSON: read, and written to as typing does, through its own document. */
function jsonEditor(): Editor | undefined {
  const editor = find('.jw-json__editor')?.shadowRoot?.querySelector<
    HTMLElement & {
      cmTile?: { root?: { view?: Editor } }
      cmView?: { view?: Editor; rootView?: { view?: Editor } }
    }
  >('.cm-content')
  return editor?.cmTile?.root?.view ?? editor?.cmView?.rootView?.view ?? editor?.cmView?.view
}

function control<E extends HTMLElement>(path: string, selector: string): E {
  return need<E>(`[data-path="${path}"] ${selector}`)
}

function commit(element: HTMLInputElement | HTMLSelectElement, value: string) {
  enter(element, value)
  return () => leave(element)
}

/** Selects what an edit is about, makes it, and selects again what was selected. */
function within(id: string | null, work: () => unknown) {
  const before = find('.jw-dfield__main[aria-pressed="true"]')?.dataset.field ?? null
  const select = (which: string | null) => {
    if (which !== null) press(row(which))
    else press(need(entityButton))
  }
  const back = () => {
    if (before !== id && (before === null || find(`[data-field="${before}"]`) !== undefined))
      select(before)
  }
  const go = () => {
    const next = work()
    return typeof next === 'function'
      ? () => {
          ;(next as () => unknown)()
          return back
        }
      : back
  }
  if (before === id) {
    const next = work()
    return next
  }
  select(id)
  return go
}

function pointer(target: EventTarget, type: string, y: number) {
  target.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true,
      cancelable: true,
      button: 0,
      clientX: 1,
      clientY: y,
      pointerType: 'mouse',
    }),
  )
}

/** By its grip to a gap between the rows. */
function drag(grip: HTMLElement, gap: number) {
  pointer(grip, 'pointerdown', 1000)
  return () => {
    pointer(window, 'pointermove', gap * rowHeight + 1)
    return () => pointer(window, 'pointerup', gap * rowHeight + 1)
  }
}

function typeJson(text: string) {
  const view = jsonEditor()
  if (view === undefined) throw new Absent('no editor')
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
}
