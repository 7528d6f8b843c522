import { definitionOf, messageText } from '@jiaowu/api'
import type { DesignerEdit, DesignerEvent } from '@jiaowu/machines'
import { DesignerPage } from '../../../apps/web/src/features/designer/designer-page.tsx'
import { emitEffect } from '@jiaowu/path-tests'
import { designColumns, savedDesign } from './model.ts'
import {
  all,
  Absent,
  click,
  enter,
  find,
  need,
  offers,
  press,
  textOf,
  usable,
} from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { newToasts, toastText } from '../../surfaces/web/effects.ts'
import { edits, entityButton, labelled, layRows, row } from './web-edits.ts'
import { columnText, type DesignerScreen, empty, unmarked } from './web-model.ts'

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

/** The definition that the history contains. */
export const earlierDesign = definitionOf(savedDesign(1, { name: '旧名' }))
/** The selected field is not compared while saving, since the page selects the field of a fault. */
export const isMarked = (part: string): boolean => part !== 'save'

/** `earlier`: the definition that the history contains. */
export function designerScreen(earlier: object, marked: boolean): Screen<DesignerScreen> {
  let taken: string[] = []
  let hasLeft = false
  const toasts = newToasts()
  return {
    mount: (start, held) => {
      const stop = layRows()
      // The page scrolls to a fault and focuses it.
      Element.prototype.scrollIntoView = function shown(this: Element) {
        const part = this.closest<HTMLElement>('.jw-dconfig [data-path]')?.dataset.path
        const attrName = textOf(find('.jw-dfield__main[aria-pressed=true] code'))
        if (part !== undefined)
          taken.push(emitEffect({ type: 'invalid', path: `fields.${attrName}.${part}`, attrName }))
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
        path === '/table/loan/fields' || path === '/table/biz.loan/fields'
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
        port !== 'loadDesign'
          ? output
          : path === '/table/loan/draft'
            ? { definition: data.draft, leftOut: [], notes: [] }
            : data.stored,
      )
    },
    user: (step, held) => gestureOf(gestures, step, held),
    read: () => (marked ? read() : unmarked(read())),
    takeEffects: () => {
      if (!hasLeft && read().step === 'left') {
        hasLeft = true
        taken.push(emitEffect({ type: 'left' }))
      }
      const saved = toasts()
        .filter(
          (toast) =>
            toast.classList.contains('bp6-intent-success') &&
            toastText(toast) === messageText('zh-CN', { key: 'design.saved' }),
        )
        .map(() =>
          emitEffect({
            type: 'saved',
            tag: textOf(find('.jw-design__name code')),
            message: { key: 'design.saved' },
          }),
        )
      const now = [...taken, ...saved]
      taken = []
      return now
    },
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

function jsonNow(): string {
  return find('.jw-json') === undefined
    ? ''
    : `${jsonEditor()?.state.doc.toString() ?? ''}\n${textOf(find('.jw-json__fault') ?? find('.jw-json .bp6-dialog-footer small'))}`
}

/** The JSON editor, read and changed through its own document. */
function jsonEditor(): Editor | undefined {
  const editor = find('.jw-json__editor')?.shadowRoot?.querySelector<
    HTMLElement & {
      cmTile?: { root?: { view?: Editor } }
      cmView?: { view?: Editor; rootView?: { view?: Editor } }
    }
  >('.cm-content')
  return editor?.cmTile?.root?.view ?? editor?.cmView?.rootView?.view ?? editor?.cmView?.view
}

function typeJson(text: string) {
  const view = jsonEditor()
  if (view === undefined) throw new Absent('no editor')
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
}
