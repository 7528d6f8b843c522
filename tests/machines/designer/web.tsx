import type { TableState } from '@jiaowu/api/entity/definition/table-change'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import { problemText } from '@jiaowu/api/problem'
import { listEvents, listStatePaths } from '@jiaowu/machines/designer/flow/states'
import { designerView } from '@jiaowu/machines/designer/view'
import { DesignerPage } from '../../../apps/web/src/features/designer/designer-page.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { findFirst, page } from '../../surfaces/web/dom/by-role.ts'
import { Absent, findAll, readText } from '../../surfaces/web/dom/dom.ts'
import { type EffectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { byPage, custom, inTurn, offeredAs, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver, type WebTable } from '../../surfaces/web/table.ts'
import { designColumns, designerModels, savedDesign } from './model.ts'
import { edit, entityButton, fieldButton, fieldsPanel, flow, layRows } from './web-edits.ts'
import { isCovered, hidden } from './web-hidden.ts'

type View = Shown<typeof designerView>

const design = page.region().where((each) => each.dataset.step !== undefined)
const toolbar = design.role('toolbar', zh('designer.tools'))
/** The toolbar while no dialog takes the keys. */
const tools = toolbar.provided(page.dialog().isAbsent)
const columnsPanel = design.region(zh('designer.columns'))
const preview = design.region(zh('designer.preview'))
const json = page.dialog(zh('designer.json.title'))
const impact = page.dialog(zh('designer.impact.title'))
const stale = page.dialog(zh('designer.stale.title'))
const conflicts = stale.css('tr[data-part]')
const retry = page.button(zh('common.retry'))
const save = tools.button(zh('common.save')).press
/** Not one of a form in the preview. */
const problemLine = design.alert.where((each) =>
  design.all().some((shown) => each.parentElement === shown),
)
const kindName = { list: '列表', form: '表单', details: '详情' } as const
const kinds = Object.keys(kindName) as (keyof typeof kindName)[]
/** The part of the definition that is not shown. */
const isFree = (each: HTMLElement) => !isPressed(each)
const isPressed = (each: HTMLElement) => each.getAttribute('aria-pressed') === 'true'

/** The definition that the history contains. */
const earlierDesign = withoutStoredKeys(savedDesign(1, { name: '旧名' }))
/** The selected field is not compared while saving, since the page selects the field of a fault. */
export const isMarked = (part: string): boolean => part !== 'save'
/** The definition is on the page. */
const isDefinitionOpen = ({ step }: View) =>
  step !== 'loading' && step !== 'failed' && step !== 'left'
const showsFields = (view: View) =>
  isDefinitionOpen(view) && (view.view === 'designing' || view.view === 'json')

const table: WebTable<typeof designerView> = {
  model: designerModels,
  view: designerView,
  readings: {
    step: createRead<string>(stepNow).is(({ step }) => step),
    view: createRead<string>(viewNow).while(isDefinitionOpen, ({ view }) => view),
    name: toolbar
      .css('strong')
      .text.while(isDefinitionOpen, ({ draft: { name, tag } }) => name + tag),
    state: toolbar.css('[aria-live=polite]').text.while(isDefinitionOpen, formatDesignState),
    faults: toolbar
      .button(/^\d+ 个(?:错误|提醒)$/)
      .names.while(isDefinitionOpen, formatDesignFaults),
    problem: createRead(() => (design.isShown() ? problemLine : page.heading()).text()).is((view) =>
      view.problem !== null && (isDefinitionOpen(view) || view.step === 'failed')
        ? problemText('zh-CN', view.problem)
        : '',
    ),
    fields: fieldsPanel.css('li[data-row]').each(fieldIn).while(showsFields, listDesignFields),
    states: flow
      .css<HTMLElement>('tr[data-state], tr[data-event]')
      .each(({ dataset }) => dataset.state ?? dataset.event ?? '')
      .while(({ view }) => view === 'flow', listFlowRows),
    columns: columnsPanel
      .css('button[data-column]')
      .each(columnIn)
      .while(showsFields, listDesignColumns),
    json: createRead(jsonNow).while(isDefinitionOpen, formatDesignJson),
    stale: conflicts
      .each(conflictIn)
      .while(isDefinitionOpen, ({ stale: parts }) =>
        (parts ?? []).map(({ part, side }) => `${part}:${side}`),
      ),
  },
  says: {
    'designer.leave': ({ step }) => step === 'leaving',
    'designer.impact.title': ({ step }) => step === 'confirming',
    'designer.stale.title': ({ step }) => step === 'stale',
    'designer.stale.text': ({ step }) => step === 'stale',
    'designer.json.title': (view) => isDefinitionOpen(view) && view.json !== null,
  },
  gestures: {
    'draft.edit': (event) => custom(() => edit(event.edit)),
    'history.undo': tools.button(zh('designer.undo')).press,
    'history.redo': tools.button(zh('designer.redo')).press,
    'field.select': ({ id }) => withoutOffer(fieldButton(id).press),
    'entity.select': withoutOffer(entityButton.press),
    'preview.show': ({ kind }) => {
      const choose = preview.button(kindName[kind]).press
      const open = tools.button(zh('designer.preview')).press
      return withoutOffer(byPage(() => (preview.isShown() ? choose : inTurn(open, choose))))
    },
    'preview.close': preview.button(zh('designer.preview.close')).press,
    'flow.show': tools.button(zh('designer.view.flow')).where(isFree).press,
    'flow.close': tools.button(zh('designer.view.fields')).where(isFree).press,
    'json.open': tools.button(zh('designer.json')).press,
    'json.change': (event) => custom(() => typeJson(event.text)),
    'json.format': json.button(zh('designer.json.format')).press,
    'json.apply': json.button(zh('common.ok')).press,
    'json.cancel': json.button(zh('common.cancel')).press,
    'design.save': ({ note }) =>
      note === undefined
        ? save
        : offeredAs(inTurn(tools.field(zh('designer.note')).fill(note), save), save),
    'design.retry': retry.press,
    // On the page, and in place of a definition that could not be loaded.
    'design.leave': findFirst(
      tools.button(zh('designer.back')),
      page.button(zh('designer.back')).provided(design.isAbsent),
    ).press,
    'impact.accept': impact.button(zh('designer.impact.save')).press,
    'impact.cancel': impact.button(zh('common.cancel')).press,
    'leave.confirm': page.question.button(zh('designer.leaveYes')).press,
    'leave.cancel': page.question.button(zh('common.cancel')).press,
    'stale.choose': ({ part, side }) => {
      const sides = conflicts.where(({ dataset }) => dataset.part === part).choice()
      return withoutOffer(sides.nth(side === 'mine' ? 0 : 1).press)
    },
    'stale.save': stale.button(zh('designer.stale.save')).press,
    'stale.cancel': stale.button(zh('common.cancel')).press,
  },
  covered: isCovered,
  hidden,
  calls: {
    '/entity/check': ['checkDesign', ({ body }) => ({ draft: body })],
    'POST /entity': ['saveDesign', toSavedDesign],
    'PUT /entity/tag/LIB_LOAN': ['saveDesign', toSavedDesign],
    '/table/loan/draft': (_asked, _id, start) =>
      start === 'table' ? { port: 'loadDesign', input: { table: 'loan', tag: null } } : null,
    '/entity/tag/LIB_LOAN': (_asked, _id, start) =>
      start === 'table' ? null : { port: 'loadDesign', input: { tag: 'LIB_LOAN' } },
  },
  toasts: (toast) =>
    toast.classList.contains('bp6-intent-success') && toastText(toast) === zh('design.saved')
      ? {
          type: 'saved',
          tag: toolbar.css('strong').css('code').text(),
          message: { key: 'design.saved' },
        }
      : null,
  host: createDesignHost,
}

/**
 * `marked`: whether the selected field is compared. A page that scrolls to a fault selects its
 * field, which the machine learns only by an event.
 */
export function createDesignerWeb(marked: boolean) {
  const plain = (fields: string) => fields.replaceAll('*', '')
  const { fields: own } = table.readings
  const fields = {
    model: (view: View) => plain(String(own?.model(view))),
    screen: () => plain(String(own?.screen())),
  }
  return createWebDriver(marked ? table : { ...table, readings: { ...table.readings, fields } })
}

function toSavedDesign({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  const { version = null, note = null, ...draft } = body
  return { draft, version, note }
}

function createDesignHost(effects: EffectLog): Host {
  let hasLeft = false
  let stop = () => {}
  return {
    show: (start) => {
      stop = layRows()
      // The page scrolls to a fault and focuses it.
      Element.prototype.scrollIntoView = function recordShownPart(this: Element) {
        const part = this.closest<HTMLElement>('[data-path]')?.dataset.path
        const attrName = readText(findAll('button[data-field][aria-pressed=true] code')[0])
        if (part !== undefined)
          effects.add({ type: 'invalid', path: `fields.${attrName}.${part}`, attrName })
      }
      return <DesignerPage tag="LIB_LOAN" table={start === 'table' ? 'loan' : null} />
    },
    stop: () => stop(),
    background: ({ path }) => wrapData(besides(path)),
    reply: (port, { output }, { path }) => {
      const data = output as { readonly stored?: unknown; readonly draft?: unknown }
      if (port !== 'loadDesign') return wrapData(output)
      return wrapData(
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

/** The machine changes no columns; its dialogs are tried in tests/journeys/designer.test.ts. */
const tableOfOthers: TableState = {
  schema: 'biz',
  table: 'loan',
  refusal: '别的程序的表',
  prefix: '',
  changeable: [],
  archived: [],
  targets: [],
  dictionaries: [],
  changes: [],
  isMade: false,
}

/** Answers the page's own requests besides the calls of the machine. */
function besides(path: string): unknown {
  const revision = { version: 1, note: null, createTime: '2026-01-01 00:00:00', createUser: null }
  if (path === '/table/loan/fields' || path === '/table/biz.loan/fields') return designColumns
  if (path.endsWith('/revisions')) return [revision]
  if (path.includes('/revisions/'))
    return { ...revision, createTime: '', definition: earlierDesign }
  if (path.startsWith('/design/table/')) return tableOfOthers
  return path.endsWith('/page') ? { records: [], total: 0, size: 1, current: 1 } : {}
}

function stepNow(): string {
  const shown = design.first
  if (shown !== undefined) return shown.dataset.step ?? ''
  if (page.role('status').isShown()) return 'loading'
  return retry.isShown() ? 'failed' : 'left'
}

function viewNow(): string {
  if (!design.isShown()) return ''
  if (json.isShown()) return 'json'
  if (flow.isShown()) return 'flow'
  const shown = preview.button().where(isPressed).text()
  return preview.isShown() ? (kinds.find((kind) => kindName[kind] === shown) ?? '?') : 'designing'
}

function formatDesignState({ checking, isNew, unsaved, version }: View): string {
  if (checking) return zh('designer.state.checking')
  if (isNew) return zh('designer.state.new')
  return unsaved ? zh('designer.state.unsaved') : zh('designer.state.saved', { n: version ?? 0 })
}

function formatDesignFaults({ findings }: View): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (findings.length === 0) return ''
  return errors > 0
    ? zh('designer.faults', { n: errors })
    : zh('designer.warnings', { n: findings.length })
}

function listDesignFields({ fields }: View): readonly string[] {
  return fields.map(({ field: { uiLabel, attrName }, selected, custom: isCustom }) =>
    fieldText(
      uiLabel === '' ? zh('designer.fields.unnamed') : uiLabel,
      attrName,
      isCustom,
      selected,
    ),
  )
}

function listFlowRows({ draft: { options } }: View): readonly string[] {
  const { flow: drawn } = options
  return drawn === undefined
    ? []
    : listStatePaths(drawn).flatMap((path) => [
        path,
        ...listEvents(drawn, path).map(({ key }) => `${path}:${key}:0`),
      ])
}

function fieldIn(row: HTMLElement): string {
  const [main] = findAll('button[data-field]', row)
  return fieldText(
    readText(findAll('span', main)[0]).replace(/\*$/, ''),
    readText(findAll('code', main)[0]),
    [...row.children].some((each) => readText(each) === zh('designer.fields.customTag')),
    main !== undefined && isPressed(main),
  )
}

function fieldText(label: string, name: string, isCustom: boolean, isSelected: boolean): string {
  return `${label} ${name}${isCustom ? ' custom' : ''}${isSelected ? '*' : ''}`
}

function listDesignColumns({ columns, can }: View): readonly string[] {
  return columns.map(({ column: { columnName, columnType, columnComment }, fieldId }) => {
    const kind = [columnType, columnComment].filter((each) => each !== '').join(' · ')
    return columnText(columnName, kind, fieldId !== null, can.edit)
  })
}

function columnIn(column: HTMLElement): string {
  const isUsed = readText(findAll('title', column)[0]) === zh('designer.columns.used')
  const [name, kind] = ['code', 'small'].map((tag) => readText(findAll(tag, column)[0]))
  return columnText(name ?? '', kind ?? '', isUsed, !column.matches(':disabled'))
}

function columnText(name: string, kind: string, isUsed: boolean, isFree: boolean): string {
  return `${name} ${kind}${isUsed ? '✓' : ''}${isFree ? '' : ' -'}`
}

function conflictIn(row: HTMLElement): string {
  const [mine] = findAll<HTMLInputElement>('input', row)
  return `${row.dataset.part ?? ''}:${mine?.checked === true ? 'mine' : 'theirs'}`
}

function formatDesignJson({ json: shown }: View): string {
  if (shown === null) return ''
  if (shown.fault === null) return `${shown.text}\n${zh('designer.json.keys')}`
  const more = shown.fault.key === 'design.checkFormat' ? '' : `: ${sentence(shown.fault)}`
  return `${shown.text}\n${zh('design.checkFormat')}${more}`
}

function jsonNow(): string {
  const foot = findFirst(json.alert, json.css('small')).text()
  return json.isShown() ? `${jsonEditor()?.state.doc.toString() ?? ''}\n${foot}` : ''
}

interface Editor {
  readonly state: { readonly doc: { readonly length: number; toString(): string } }
  dispatch(change: object): void
}

/** The JSON editor, read and changed through its own document. */
function jsonEditor(): Editor | undefined {
  const shadow = findAll('*', json.first).find(({ shadowRoot }) => shadowRoot !== null)?.shadowRoot
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
