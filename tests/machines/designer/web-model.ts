import { problemText, messageText, t, type TextKey } from '@jiaowu/api'
import {
  type DesignerEdit,
  type DesignerEvent,
  type designerMachine,
  designerView,
  type DesignerView,
} from '@jiaowu/machines'
import type { Spec } from '../spec.ts'
import type { EventObject, SnapshotFrom } from 'xstate'
import type { DesignerSeen } from './model.ts'

/** What the page shows of the designer, and what it offers. */
export interface DesignerScreen {
  readonly step: string
  readonly view: string
  readonly name: string
  readonly columns: string | null
  readonly fields: string | null
  /** The text of a question, a choice or the editor. */
  readonly asks: string
  readonly json: string
  readonly state: string
  readonly faults: string
  readonly problem: string
  readonly stale: string
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof designerMachine>
export const empty: DesignerScreen = {
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

/**
 * `marked`: whether the selected field is compared. A page that scrolls to a fault selects its
 * field, which the machine learns only by an event.
 */
export function designerOnScreen(marked: boolean) {
  return (spec: Spec<DesignerSeen>): Spec<DesignerScreen> => ({
    ...spec,
    project: ((s: Snapshot) =>
      marked ? project(s) : unmarked(project(s))) as unknown as Spec<DesignerScreen>['project'],
    hidden: hidden as unknown as NonNullable<Spec<DesignerScreen>['hidden']>,
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

/** The topmost layer takes the keys: a question before the page, the JSON editor before both. */
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

export function columnText(
  name: string,
  type: string,
  comment: string,
  isUsed: boolean,
  isFree: boolean,
): string {
  return `${name} ${type}${comment === '' ? '' : ` · ${comment}`}${isUsed ? '✓' : ''}${isFree ? '' : ' -'}`
}

/** The text of the topmost layer. */
function asksOf({ step, json }: DesignerView): string {
  const zh = (key: TextKey) => messageText('zh-CN', { key })
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
    : `${json.text}\n${json.fault === null ? zhKeys : json.fault.key === 'design.checkFormat' ? zhFormat : `${zhFormat}: ${messageText('zh-CN', json.fault)}`}`
}

export function unmarked(screen: DesignerScreen): DesignerScreen {
  return {
    ...screen,
    fields: screen.fields?.replaceAll('*', '') ?? null,
  }
}

function hidden(s: Snapshot, given: EventObject): boolean {
  const event = given as DesignerEvent
  const view = designerView(s)
  if (s.matches('loading')) return true
  if (!isOpen(s)) return false
  if (view.step === 'confirming') return !event.type.startsWith('impact.')
  if (view.step === 'leaving') return !event.type.startsWith('leave.')
  if (view.step === 'stale') return !event.type.startsWith('stale.')
  if (view.view === 'json') return !event.type.startsWith('json.') || event.type === 'json.open'
  // While the definition is checked and saved the page takes no input.
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

/**
 * Edits without a control: behind a question or an editor, segments of another kind, a switch that
 * is set already.
 */
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
    // A segment keeps its kind on the page: the user adds another and removes the old one.
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
