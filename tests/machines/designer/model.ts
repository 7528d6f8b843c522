import type { DefinitionCheck } from '@jiaowu/api/entity/definition/stored'
import {
  type EntityDefinition,
  entityDefinitionSchema,
  fieldDefinitionSchema,
  type FieldDraft,
} from '@jiaowu/api/entity/definition/definition'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import type {
  DesignerContext,
  DesignerEdit,
  DesignerEvent,
  DesignerInput,
} from '@jiaowu/machines/designer/types'
import { designerMachine } from '@jiaowu/machines/designer/machine'
import * as v from 'valibot'
import type { SnapshotFrom } from 'xstate'
import { hash } from '@jiaowu/path-tests'
import { bare, modelSpec } from '../spec.ts'
import { designerRules } from './rules.ts'
import type { MachineModel } from '../machine-model.ts'
import { answerFailure } from '../problems.ts'
export const designColumns: readonly TableColumn[] = [
  buildDesignColumn('no'),
  buildDesignColumn('title'),
  buildDesignColumn('memo'),
  buildDesignColumn('extra', 'jsonb'),
]

function buildDesignColumn(columnName: string, dataType = 'varchar'): TableColumn {
  return {
    columnName,
    columnComment: '',
    columnKey: '',
    isKey: false,
    columnType: dataType === 'varchar' ? 'varchar(32)' : dataType,
    dataType,
    dataLength: dataType === 'varchar' ? 32 : null,
    isNullable: 'YES',
    hasDefault: false,
  }
}

const noDrift = { missing: [], unused: [], added: [], changed: [] }

export function savedDesign(version: number, more: Partial<EntityDefinition> = {}): SavedEntity {
  return {
    ...definition(more),
    id: '1',
    version,
    builtIn: false,
    updateTime: '2026-01-01 00:00:00',
    updateUser: '甲',
    findings: [],
    drift: noDrift,
  }
}

function definition(more: Partial<EntityDefinition> = {}): EntityDefinition {
  return {
    ...v.parse(entityDefinitionSchema, {
      tag: 'LIB_LOAN',
      name: '借阅',
      tableName: 'loan',
      fields: [],
    }),
    fields: [
      buildDesignField({ attrName: 'no', columnName: 'no', uiSort: 1 }),
      buildDesignField({ attrName: 'title', columnName: 'title', uiSort: 2 }),
    ],
    ...more,
  }
}

function buildDesignField(draft: Partial<FieldDraft> & { attrName: string }) {
  return v.parse(fieldDefinitionSchema, {
    id: draft.attrName === 'no' ? '11' : '12',
    uiLabel: draft.attrName,
    tableName: 'loan',
    columnType: 'varchar(32)',
    ...draft,
  })
}

const wrong = buildCheckResult({
  findings: [
    {
      id: 'entity.E015',
      severity: 'error',
      path: 'fields.title.uiLabel',
      attrName: 'title',
      msg: '有字段没有名称',
    },
  ],
})
const breaking = buildCheckResult({
  impact: [{ kind: 'lookup', object: 'LIB_SHELF', breaks: true, msg: '会受影响' }],
})

export interface DesignerSeen {
  readonly at: string
  readonly fields: string
  readonly options: string
  readonly selected: string | null
  readonly unsaved: boolean
  readonly check: string
  readonly json: string
  readonly stale: string
  readonly problem: number | null
  readonly version: number | null
  readonly offers: string
}
const offered = [
  'history.undo',
  'history.redo',
  'json.open',
  'json.apply',
  'preview.close',
  'flow.show',
  'flow.close',
  'design.save',
  'design.retry',
  'design.leave',
  'impact.accept',
  'leave.confirm',
  'stale.save',
] as const

type Samples = {
  readonly [T in DesignerEvent['type']]?: Readonly<
    Record<string, Omit<Extract<DesignerEvent, { type: T }>, 'type'>>
  >
}
/** Every edit of the designer, one sample or more each: an edit added without one does not compile. */
const editSamples = {
  'column.add': {
    memo: { columnName: 'memo' },
    known: { columnName: 'title' },
    extra: { columnName: 'extra', at: 0 },
    nothing: { columnName: 'nothing' },
  },
  'group.add': { first: { at: 0 } },
  'custom.add': {
    good: { field: { uiLabel: '备注', columnType: 'VARCHAR', attrName: 'note' } },
    taken: { field: { uiLabel: '题', columnType: 'VARCHAR', attrName: 'title' } },
  },
  'field.move': { down: { id: '11', to: 1 } },
  'field.remove': { title: { id: '12' } },
  'field.set': { label: { id: '12', patch: { uiLabel: '' } } },
  'field.toggle': { query: { id: '12', flag: 'isQuery' } },
  'entity.set': { name: { patch: { name: '新名' } } },
  'option.set': {
    single: { patch: { singleSelect: true } },
    serial: { patch: { serialNumType: 2 } },
  },
  'serial.add': { date: { segment: 2 } },
  'serial.set': { first: { index: 0, segment: { type: 3, text: 'B' } } },
  'serial.remove': { first: { index: 0 } },
  'button.add': { bare: {} },
  'button.set': { name: { index: 0, patch: { name: '借出' } } },
  'button.move': { last: { index: 0, to: 1 } },
  'button.remove': { first: { index: 0 } },
  'flow.edit': {
    start: { change: { type: 'start', field: 'title', roles: ['OFFICE'] } },
    event: { change: { type: 'event.remove', path: 'review1', key: 'REJECT', no: 0 } },
    drop: { change: { type: 'drop' } },
  },
  'draft.replace': { earlier: { draft: definition({ name: '旧名' }) } },
} as const satisfies {
  readonly [T in DesignerEdit['type']]: Readonly<
    Record<string, Omit<Extract<DesignerEdit, { type: T }>, 'type'>>
  >
}
const everyEdit = one(...(Object.keys(editSamples) as (keyof typeof editSamples)[]))

interface Parts {
  /** Without saving: that has a concern of its own. */ readonly saving?: false
  readonly unhandled?: readonly string[]
  readonly edits?: Samples
  readonly depth?: number
  readonly starts?: readonly ('stored' | 'table')[]
  readonly checks?: readonly ('good' | 'wrong' | 'breaking' | 'both' | 'down')[]
  readonly saves?: readonly ('saved' | 'stale' | 'down')[]
  readonly more?: Samples
}
const none = {} as never
const jsonTexts = {
  broken: { text: '{' },
  shapeless: { text: '{"tag":1}' },
  good: { text: JSON.stringify(definition({ name: 'JSON' })) },
}

const undoing: Samples = { 'history.undo': bare, 'history.redo': bare }
const designerEditModel = designerModel({
  saving: false,
  edits: everyEdit,
  more: {
    ...undoing,
    'field.select': { title: { id: '12' }, gone: { id: '99' } },
    'entity.select': bare,
  },
})

type DesignerSnapshot = SnapshotFrom<typeof designerMachine>

/** A model of one concern of the designer. One model of all of them has too many states to walk. */
function designerModel({
  saving,
  unhandled = [],
  edits = {},
  depth = 1,
  starts = ['stored'],
  checks = ['good'],
  saves = ['saved'],
  more = {},
}: Parts) {
  return modelSpec({
    machine: designerMachine,
    input: pickParts(
      {
        stored: () => ({ target: { tag: 'LIB_LOAN' } }),
        table: () => ({ target: { table: 'loan', tag: null } }),
      },
      starts,
    ) as Record<string, () => DesignerInput>,
    events: {
      'draft.edit': none,
      'history.undo': none,
      'history.redo': none,
      'field.select': none,
      'entity.select': none,
      'preview.show': none,
      'preview.close': none,
      'flow.show': none,
      'flow.close': none,
      'json.open': none,
      'json.change': none,
      'json.format': none,
      'json.apply': none,
      'json.cancel': none,
      'stale.choose': none,
      ...(more as object),
      'design.save': saving === false ? none : { bare: {}, noted: { note: '改名' } },
      'design.retry': bare,
      'design.leave': bare,
      'impact.accept': bare,
      'impact.cancel': bare,
      'leave.confirm': bare,
      'leave.cancel': bare,
      'stale.save': bare,
      'stale.cancel': bare,
    },
    outcomes: buildDesignOutcomes(checks, saves),
    // Bounds the history, which would otherwise grow without limit.
    eventsIn: (s) => ((s.context as DesignerContext).past.length < depth ? (edits as object) : {}),
    unhandled:
      saving === false
        ? ['history.undo', 'json.apply']
        : [
            ...unhandled,
            'design.save',
            'design.retry',
            'design.leave',
            'impact.accept',
            'leave.confirm',
            'stale.save',
          ],
    key: (s) => buildDesignKey(s, depth, 'history.undo' in more),
    project,
  })
}

function buildDesignOutcomes(
  checks: NonNullable<Parts['checks']>,
  saves: NonNullable<Parts['saves']>,
) {
  return {
    loadDesign: (target: DesignerInput['target']) => ({
      loaded: {
        ok: true as const,
        output:
          'table' in target
            ? { stored: null, draft: definition(), columns: designColumns }
            : { stored: savedDesign(1), draft: definition(), columns: designColumns },
      },
      down: answerFailure(503),
    }),
    checkDesign: pickParts(
      {
        good: { ok: true, output: buildCheckResult({}) },
        wrong: { ok: true, output: wrong },
        breaking: { ok: true, output: breaking },
        both: { ok: true, output: { ...breaking, findings: wrong.findings } },
        down: answerFailure(503),
      } as const,
      checks,
    ),
    saveDesign: pickParts(
      {
        saved: { ok: true, output: savedDesign(9, { name: '已保存' }) },
        stale: answerFailure(40900, { data: savedDesign(5, { name: '别人的' }) }),
        down: answerFailure(503),
      } as const,
      saves,
    ),
  }
}

/** `keepsHistory`: states with a different history differ. */
function buildDesignKey(s: DesignerSnapshot, depth: number, keepsHistory: boolean): string {
  const c = s.context as DesignerContext
  return JSON.stringify([
    s.value,
    c.input.target,
    hashValue(c.draft),
    ...(keepsHistory
      ? [hashValue(c.past), hashValue(c.future)]
      : [c.past.length < depth, c.past.length > 0, c.future.length > 0]),
    c.draft === c.saved,
    c.saved === null,
    c.selected,
    c.check?.findings.length ?? null,
    c.check?.impact.length ?? null,
    c.json,
    c.stale?.choices ?? null,
    c.problem?.code ?? null,
    c.stored?.version ?? null,
  ])
}

function project(s: DesignerSnapshot): DesignerSeen {
  const c = s.context as DesignerContext
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    fields: c.draft.fields
      .map(({ id, attrName, uiLabel, isQuery }) => `${id} ${attrName} ${uiLabel} ${isQuery}`)
      .join('|'),
    options: JSON.stringify([
      c.draft.name,
      c.draft.options,
      c.draft.buttons.map(({ name }) => name),
    ]),
    selected: c.selected,
    unsaved: s.hasTag('unsaved'),
    check: `${c.check?.findings.length ?? '-'} ${c.check?.impact.length ?? '-'}`,
    json: c.json === null ? '' : `${c.json.text.length} ${c.json.fault?.key ?? ''}`,
    stale: JSON.stringify(c.stale?.choices ?? null),
    problem: c.problem?.code ?? null,
    version: c.stored?.version ?? null,
    offers: offered.filter((type) => s.can({ type })).join(),
  }
}

function pickParts<T extends object>(all: T, names: readonly (keyof T)[]): T {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes(name as keyof T)),
  ) as T
}

function buildCheckResult(more: Partial<DefinitionCheck>): DefinitionCheck {
  return {
    findings: [],
    impact: [],
    drift: noDrift,
    ...more,
  }
}

/** A hash in place of the whole definition keeps keys short. */
function hashValue(value: unknown) {
  const text = JSON.stringify(value)
  return hash(text) + hash(text, 0x9e3779b9)
}

const designerUndoModel = designerModel({
  edits: one('field.toggle', 'field.remove'),
  depth: 2,
  more: undoing,
})

function one(...types: readonly (keyof typeof editSamples)[]): Samples {
  return {
    'draft.edit': Object.fromEntries(
      types.flatMap((type) =>
        Object.entries(editSamples[type]).map(([name, sample]) => [
          `${type} ${name}`,
          { edit: { type, ...sample } as DesignerEdit },
        ]),
      ),
    ),
  }
}

const designerSerialModel = designerModel({
  saving: false,
  edits: one('option.set', 'serial.add', 'serial.set', 'serial.remove'),
  depth: 2,
})
const designerButtonModel = designerModel({
  saving: false,
  edits: one('button.add', 'button.set', 'button.move', 'button.remove'),
  depth: 3,
})
const known: Samples = {
  'draft.edit': { 'column.add known': { edit: { type: 'column.add', columnName: 'title' } } },
}
const designerJsonModel = designerModel({
  saving: false,
  edits: { 'json.open': bare },
  more: {
    ...known,
    'json.change': jsonTexts,
    'json.format': bare,
    'json.apply': bare,
    'json.cancel': bare,
    'history.undo': bare,
  },
})
/** The editor over work that is not saved: what stands behind it waits. */
const designerBehindModel = designerModel({
  unhandled: ['draft.edit'],
  depth: 2,
  edits: { 'json.open': bare, ...one('field.toggle') },
  more: { ...known, 'json.cancel': bare },
})
const designerPreviewModel = designerModel({
  saving: false,
  edits: one('field.toggle'),
  more: {
    'preview.show': {
      list: { kind: 'list' },
      form: { kind: 'form' },
      details: { kind: 'details' },
    },
    'preview.close': bare,
  },
})
const designerFlowModel = designerModel({
  saving: false,
  edits: one('flow.edit', 'field.toggle'),
  depth: 2,
  more: {
    'flow.show': bare,
    'flow.close': bare,
    'preview.show': { list: { kind: 'list' } },
    ...undoing,
  },
})
const designerSaveModel = designerModel({
  edits: one('field.toggle'),
  starts: ['stored', 'table'],
  checks: ['good', 'wrong', 'breaking', 'both', 'down'],
  saves: ['saved', 'down'],
})
const designerStaleModel = designerModel({
  edits: one('field.toggle'),
  checks: ['good'],
  saves: ['saved', 'stale'],
  unhandled: ['stale.choose'],
  more: {
    'stale.choose': {
      mine: { part: 'name', side: 'mine' },
      theirs: { part: 'field:title', side: 'theirs' },
      none: { part: 'options', side: 'mine' },
    },
  },
})

export const designerModels: MachineModel<DesignerSeen> = {
  parts: {
    serial: designerSerialModel,
    button: designerButtonModel,
    preview: designerPreviewModel,
    flow: designerFlowModel,
    json: designerJsonModel,
    behind: designerBehindModel,
    stale: designerStaleModel,
    save: designerSaveModel,
    undo: designerUndoModel,
    edit: designerEditModel,
  },
  rules: designerRules,
  survivors: {
    'designer.open.view.designing preview.show[0] and [1] swapped':
      'the two ask for different kinds: whichever is asked first, one of them fits',
    'designer.open.view.preview preview.show[0] and [1] swapped':
      'the two ask for different kinds: whichever is asked first, one of them fits',
    'designer.open.view.preview starts in form': 'a preview is always entered by its kind',
  },
}
