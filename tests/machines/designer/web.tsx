import { definitionOf, problemText } from '@jiaowu/api'
import {
  type DesignerEvent,
  type designerMachine,
  designerView,
  type DesignerView,
} from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { DesignerPage } from '../../../apps/web/src/features/designer/designer-page.tsx'
import {
  button,
  byRole,
  bySelector,
  choice,
  either,
  dialog,
  field,
  having,
  heading,
  nth,
  question,
  region,
} from '../../surfaces/web/dom/by-role.ts'
import { Absent, all, textOf } from '../../surfaces/web/dom/dom.ts'
import { effectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import {
  custom,
  fill,
  inTurn,
  offeredAs,
  press,
  unlisted,
} from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, names, text } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf, type WebTable } from '../../surfaces/web/table.ts'
import { designColumns, designerModels, savedDesign } from './model.ts'
import { edit, entityButton, fieldButton, fieldsPanel, layRows } from './web-edits.ts'
import { hidden } from './web-hidden.ts'

type Snapshot = SnapshotFrom<typeof designerMachine>
interface View {
  readonly v: DesignerView
  /** The definition is on the page. */
  readonly isOpen: boolean
  readonly showsFields: boolean
}

const page = having(region(), (each) => each.dataset.step !== undefined)
const toolbar = byRole('toolbar', zh('designer.tools'), page)
/** The toolbar while no dialog takes the keys. */
const tools = having(toolbar, () => !isShown(dialog())())
const columnsPanel = region(zh('designer.columns'), page)
const preview = region(zh('designer.preview'), page)
const json = dialog(zh('designer.json.title'))
const impact = dialog(zh('designer.impact.title'))
const stale = dialog(zh('designer.stale.title'))
const conflicts = bySelector('tr[data-part]', stale)
const retry = button(zh('common.retry'))
const save = button(zh('common.save'), tools)
/** On the page, and in place of a definition that could not be loaded. */
const back = either(
  button(zh('designer.back'), tools),
  having(button(zh('designer.back')), () => !isShown(page)()),
)
const kinds = ['list', 'form', 'details'] as const
const kindName = { list: '列表', form: '表单', details: '详情' } as const
const shownKind = having(
  button(undefined, preview),
  (each) => each.getAttribute('aria-pressed') === 'true',
)

/** The definition that the history contains. */
const earlierDesign = definitionOf(savedDesign(1, { name: '旧名' }))
/** The selected field is not compared while saving, since the page selects the field of a fault. */
export const isMarked = (part: string): boolean => part !== 'save'

const table: WebTable<Snapshot, DesignerEvent, View> = {
  model: designerModels,
  view: (s) => {
    const v = designerView(s)
    const isOpen = !['loading', 'failed', 'left'].includes(v.step)
    return { v, isOpen, showsFields: isOpen && (v.view === 'designing' || v.view === 'json') }
  },
  readings: {
    step: { model: ({ v }) => v.step, screen: stepNow },
    view: { model: ({ v, isOpen }) => (isOpen ? v.view : ''), screen: viewNow },
    name: {
      model: ({ v, isOpen }) => (isOpen ? `${v.draft.name}${v.draft.tag}` : ''),
      screen: text(bySelector('strong', toolbar)),
    },
    state: { model: stateOf, screen: text(bySelector('[aria-live=polite]', toolbar)) },
    faults: { model: faultsOf, screen: names(button(/^\d+ 个(?:错误|提醒)$/, toolbar)) },
    problem: {
      model: ({ v, isOpen }) =>
        v.problem !== null && (isOpen || v.step === 'failed')
          ? problemText('zh-CN', v.problem)
          : '',
      screen: () => (isShown(page)() ? text(problemLine)() : text(heading())()),
    },
    fields: {
      model: fieldsOf,
      screen: fieldsNow,
    },
    columns: {
      model: columnsOf,
      screen: () => bySelector('button[data-column]', columnsPanel).all().map(columnIn).join('|'),
    },
    json: { model: jsonOf, screen: jsonNow },
    stale: {
      model: ({ v, isOpen }) =>
        isOpen ? (v.stale ?? []).map(({ part, side }) => `${part}:${side}`).join() : '',
      screen: () => conflicts.all().map(conflictIn).join(),
    },
  },
  says: {
    'designer.leave': ({ v }) => v.step === 'leaving',
    'designer.impact.title': ({ v }) => v.step === 'confirming',
    'designer.stale.title': ({ v }) => v.step === 'stale',
    'designer.stale.text': ({ v }) => v.step === 'stale',
    'designer.json.title': ({ v, isOpen }) => isOpen && v.json !== null,
  },
  gestures: {
    'draft.edit': (event) => custom(() => edit(event.edit)),
    'history.undo': press(button(zh('designer.undo'), tools)),
    'history.redo': press(button(zh('designer.redo'), tools)),
    'field.select': ({ id }) => unlisted(press(fieldButton(id))),
    'entity.select': unlisted(press(entityButton)),
    'preview.show': ({ kind }) => unlisted(showPreview(kind)),
    'preview.close': press(button(zh('designer.preview.close'), preview)),
    'json.open': press(button(zh('designer.json'), tools)),
    'json.change': (event) => custom(() => typeJson(event.text)),
    'json.format': press(button(zh('designer.json.format'), json)),
    'json.apply': press(button(zh('common.ok'), json)),
    'json.cancel': press(button(zh('common.cancel'), json)),
    'design.save': ({ note }) =>
      note === undefined
        ? press(save)
        : offeredAs(
            inTurn(fill(field(zh('designer.note'), tools), note), press(save)),
            press(save),
          ),
    'design.retry': press(retry),
    'design.leave': press(back),
    'impact.accept': press(button(zh('designer.impact.save'), impact)),
    'impact.cancel': press(button(zh('common.cancel'), impact)),
    'leave.confirm': press(button(zh('designer.leaveYes'), question())),
    'leave.cancel': press(button(zh('common.cancel'), question())),
    'stale.choose': ({ part, side }) =>
      unlisted(
        press(
          nth(
            choice(
              undefined,
              having(conflicts, (each) => each.dataset.part === part),
            ),
            side === 'mine' ? 0 : 1,
          ),
        ),
      ),
    'stale.save': press(button(zh('designer.stale.save'), stale)),
    'stale.cancel': press(button(zh('common.cancel'), stale)),
  },
  hidden,
  calls: {
    '/entity/check': ['checkDesign', ({ body }) => ({ draft: body })],
    'POST /entity': ['saveDesign', saved],
    'PUT /entity/tag/LIB_LOAN': ['saveDesign', saved],
    '/table/loan/draft': (_asked, _id, start) =>
      start === 'table' ? { port: 'loadDesign', input: { table: 'loan', tag: null } } : null,
    '/entity/tag/LIB_LOAN': (_asked, _id, start) =>
      start === 'table' ? null : { port: 'loadDesign', input: { tag: 'LIB_LOAN' } },
  },
  host,
}

/**
 * `marked`: whether the selected field is compared. A page that scrolls to a fault selects its
 * field, which the machine learns only by an event.
 */
export function designerWebOf(marked: boolean) {
  const plain = (fields: string) => fields.replaceAll('*', '')
  const fields = { model: (view: View) => plain(fieldsOf(view)), screen: () => plain(fieldsNow()) }
  return webDriverOf(marked ? table : { ...table, readings: { ...table.readings, fields } })
}

function saved({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  const { version = null, note = null, ...draft } = body
  return { draft, version, note }
}

function host(): Host {
  let hasLeft = false
  const effects = effectLog((toast) =>
    toast.classList.contains('bp6-intent-success') && toastText(toast) === zh('design.saved')
      ? {
          type: 'saved',
          tag: text(bySelector('code', bySelector('strong', toolbar)))(),
          message: { key: 'design.saved' },
        }
      : null,
  )
  return {
    mount: (start, held) => {
      const stop = layRows()
      // The page scrolls to a fault and focuses it.
      Element.prototype.scrollIntoView = function shown(this: Element) {
        const part = this.closest<HTMLElement>('[data-path]')?.dataset.path
        const attrName = textOf(all('button[data-field][aria-pressed=true] code')[0])
        if (part !== undefined)
          effects.add({ type: 'invalid', path: `fields.${attrName}.${part}`, attrName })
      }
      return {
        element: inConsole(
          held,
          <DesignerPage tag="LIB_LOAN" table={start === 'table' ? 'loan' : null} />,
        ),
        stop,
      }
    },
    background: ({ path }) => answered(besides(path)),
    reply: (port, { output }, { path }) => {
      const data = output as { readonly stored?: unknown; readonly draft?: unknown }
      if (port !== 'loadDesign') return answered(output)
      return answered(
        path === '/table/loan/draft'
          ? { definition: data.draft, leftOut: [], notes: [] }
          : data.stored,
      )
    },
    takeEffects: () => {
      if (!hasLeft && stepNow() === 'left') {
        hasLeft = true
        effects.add({ type: 'left' })
      }
      return effects.take()
    },
  }
}

/** What the page asks for besides the calls of the machine. */
function besides(path: string): unknown {
  const revision = { version: 1, note: null, createTime: '2026-01-01 00:00:00', createUser: null }
  if (path === '/table/loan/fields' || path === '/table/biz.loan/fields') return designColumns
  if (path.endsWith('/revisions')) return [revision]
  if (path.includes('/revisions/'))
    return { ...revision, createTime: '', definition: earlierDesign }
  return path.endsWith('/page') ? { records: [], total: 0, size: 1, current: 1 } : {}
}

function stepNow(): string {
  const [shown] = page.all()
  if (shown !== undefined) return shown.dataset.step ?? ''
  if (isShown(byRole('status'))()) return 'loading'
  return isShown(retry)() ? 'failed' : 'left'
}

function viewNow(): string {
  if (!isShown(page)()) return ''
  if (isShown(json)()) return 'json'
  const shown = text(shownKind)()
  return isShown(preview)() ? (kinds.find((kind) => kindName[kind] === shown) ?? '?') : 'designing'
}

function showPreview(kind: (typeof kinds)[number]) {
  const choose = press(button(kindName[kind], preview))
  return custom((held) =>
    isShown(preview)()
      ? choose.run(held)
      : inTurn(press(button(zh('designer.preview'), tools)), choose).run(held),
  )
}

function stateOf({ v, isOpen }: View): string {
  if (!isOpen) return ''
  if (v.checking) return zh('designer.state.checking')
  if (v.isNew) return zh('designer.state.new')
  return v.unsaved
    ? zh('designer.state.unsaved')
    : zh('designer.state.saved', { n: v.version ?? 0 })
}

function faultsOf({ v: { findings }, isOpen }: View): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (!isOpen || findings.length === 0) return ''
  return errors > 0
    ? zh('designer.faults', { n: errors })
    : zh('designer.warnings', { n: findings.length })
}

/** Not one of a form in the preview. */
const problemLine = having(byRole('alert', undefined, page), (each) =>
  page.all().some((shown) => each.parentElement === shown),
)
const fieldRows = bySelector('li[data-row]', fieldsPanel)
const customTag = zh('designer.fields.customTag')

function fieldsOf({ v, showsFields }: View): string {
  return showsFields
    ? v.fields
        .map(({ field: { uiLabel, attrName }, selected, custom: isCustom }) => {
          const label = uiLabel === '' ? zh('designer.fields.unnamed') : uiLabel
          return `${label} ${attrName}${isCustom ? ` ${customTag}` : ''}${selected ? '*' : ''}`
        })
        .join('|')
    : ''
}

function fieldsNow(): string {
  return fieldRows.all().map(fieldIn).join('|')
}

/** A row of the list of fields, written as `fieldsOf` does. */
function fieldIn(row: HTMLElement): string {
  const [main] = all('button[data-field]', row)
  const label = textOf(all('span', main)[0]).replace(/\*$/, '')
  const isCustom = [...row.children].some((each) => textOf(each) === customTag)
  const isSelected = main?.getAttribute('aria-pressed') === 'true'
  return `${label} ${textOf(all('code', main)[0])}${isCustom ? ` ${customTag}` : ''}${isSelected ? '*' : ''}`
}

function columnsOf({ v, showsFields }: View): string {
  return showsFields
    ? v.columns
        .map(({ column: { columnName, columnType, columnComment }, fieldId }) => {
          const kind = [columnType, columnComment].filter((each) => each !== '').join(' · ')
          return columnText(columnName, kind, fieldId !== null, v.can.edit)
        })
        .join('|')
    : ''
}

function columnIn(column: HTMLElement): string {
  const isUsed = textOf(all('title', column)[0]) === zh('designer.columns.used')
  const [name, kind] = ['code', 'small'].map((tag) => textOf(all(tag, column)[0]))
  return columnText(name ?? '', kind ?? '', isUsed, !column.matches(':disabled'))
}

function columnText(name: string, kind: string, isUsed: boolean, isFree: boolean): string {
  return `${name} ${kind}${isUsed ? '✓' : ''}${isFree ? '' : ' -'}`
}

function conflictIn(row: HTMLElement): string {
  const [mine] = all<HTMLInputElement>('input', row)
  return `${row.dataset.part ?? ''}:${mine?.checked === true ? 'mine' : 'theirs'}`
}

function jsonOf({ v: { json: shown }, isOpen }: View): string {
  if (!isOpen || shown === null) return ''
  const [keys, wrong] = [zh('designer.json.keys'), zh('design.checkFormat')]
  if (shown.fault === null) return `${shown.text}\n${keys}`
  const more = shown.fault.key === 'design.checkFormat' ? '' : `: ${sentence(shown.fault)}`
  return `${shown.text}\n${wrong}${more}`
}

function jsonNow(): string {
  const foot = either(byRole('alert', undefined, json), bySelector('small', json))
  return isShown(json)() ? `${jsonEditor()?.state.doc.toString() ?? ''}\n${text(foot)()}` : ''
}

interface Editor {
  readonly state: { readonly doc: { readonly length: number; toString(): string } }
  dispatch(change: object): void
}

/** The JSON editor, read and changed through its own document. */
function jsonEditor(): Editor | undefined {
  const shadow = all('*', json.all()[0]).find(({ shadowRoot }) => shadowRoot !== null)?.shadowRoot
  const editor = shadow?.querySelector<
    HTMLElement & {
      cmTile?: { root?: { view?: Editor } }
      cmView?: { view?: Editor; rootView?: { view?: Editor } }
    }
  >('.cm-content')
  return editor?.cmTile?.root?.view ?? editor?.cmView?.rootView?.view ?? editor?.cmView?.view
}

function typeJson(to: string) {
  const view = jsonEditor()
  if (view === undefined) throw new Absent('no editor')
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: to } })
}
