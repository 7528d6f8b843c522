import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import type { EntityFormInput } from '@jiaowu/machines/entity-form/context'
import { entityFormMachine } from '@jiaowu/machines/entity-form/machine'
import * as v from 'valibot'
import type { SnapshotFrom } from 'xstate'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { entityFormRules } from './rules.ts'
import { apiProblem } from '../problems.ts'

const choice = (id: string) => [{ id, name: `n${id}` }]
export const formConfig: EntityConfig = {
  tag: 'A',
  name: '甲',
  buttons: [],
  idField: 'id',
  tagField: 'name',
  titlePattern: '{name}',
  permissions: [],
  options: {
    selection: true,
    operColumnShow: true,
    singleSelect: false,
    multiSelect: true,
    openType: 'drawer',
    sorts: [],
  },
  fields: [
    buildFormField({ attrName: 'g', uiType: 'group' }),
    buildFormField({ attrName: 'name', valids: { required: true } }),
    buildFormField({ attrName: 'faculty', uiType: 'select' }),
    buildFormField({
      attrName: 'major',
      uiType: 'select',
      options: { cascades: [{ attrName: 'faculty', filterAttr: 'faculty' }] },
    }),
  ],
}

function buildFormField(draft: Partial<FieldDraft> & { attrName: string }): Field {
  return {
    ...v.parse(fieldDefinitionSchema, {
      id: draft.attrName,
      uiLabel: draft.attrName,
      isDetail: 1,
      ...draft,
    }),
    sortable: false,
  }
}

export interface FormSeen {
  readonly at: string
  readonly values: string
  readonly faults: string
  readonly problem: number | null
  readonly stale: string | null
  readonly folded: string
  readonly version: unknown
  readonly offers: string
  readonly pins: string
  readonly copied: unknown
}
const offered = [
  'form.submit',
  'form.retry',
  'form.leave',
  'leave.confirm',
  'leave.cancel',
  'stale.save',
  'stale.cancel',
] as const

type FormSnapshot = SnapshotFrom<typeof entityFormMachine>

/** The answers to a save. */
const saves = {
  saved: { ok: true, output: buildFormRow('saved', 9) },
  stale: { ok: false, error: apiProblem(40900, { data: buildFormRow('theirs', 2) }) },
  /** An earlier save of the same values arrived, but its answer did not. */
  already: { ok: false, error: apiProblem(40900, { data: buildFormRow('mine', 4) }) },
  /** The server may have saved, but its answer does not say so. */
  lost: { ok: false, error: apiProblem(503) },
  staleEmpty: {
    ok: false,
    error: apiProblem(40900, { data: { ...buildFormRow('', 3), name: null } }),
  },
  invalid: {
    ok: false,
    error: apiProblem(42200, {
      kind: 'invalid',
      issues: [{ path: 'name', rule: 'unique', msg: '该值已存在' }],
    }),
  },
  ended: { ok: false, error: apiProblem(40001, { kind: 'session' }) },
} as const

/** One concern of the form at a time; see the list's model. */
export function formModel(
  starts: readonly ('add' | 'copy' | 'edit' | 'view')[],
  changes: readonly ('name' | 'empty' | 'faculty')[],
  more: {
    readonly folds?: true
    readonly pins?: true
    /** A new record is followed by another one. */
    readonly next?: true
    readonly saves?: readonly (keyof typeof saves)[]
  } = {},
) {
  return modelSpec({
    machine: entityFormMachine,
    input: Object.fromEntries(
      Object.entries({
        add: () => ({ tag: 'A', id: null, person: null, defaults: { faculty: '1' } }),
        edit: () => ({ tag: 'A', id: '1', person: null }),
        copy: () => ({ tag: 'A', id: null, person: null, copyOf: '1' }),
        view: () => ({ tag: 'A', id: '1', person: null, viewOnly: true }),
      }).filter(([name]) => starts.includes(name as 'add')),
    ) as Record<string, () => EntityFormInput>,
    events: {
      'field.change': pickCases(
        {
          name: { attrName: 'name', value: 'mine' },
          empty: { attrName: 'name', value: '' },
          faculty: { attrName: 'faculty', value: choice('2') },
        } as const,
        changes,
      ),
      'field.blur': { name: { attrName: 'name' } },
      'group.toggle': more.folds === true ? { g: { attrName: 'g' } } : ({} as never),
      'form.submit': more.next === true ? { plain: {}, next: { next: true } } : bare,
      'pin.toggle': more.pins === true ? { name: { attrName: 'name' } } : ({} as never),
      'form.retry': bare,
      'form.leave': bare,
      'leave.confirm': bare,
      'leave.cancel': bare,
      'stale.choose': {
        theirs: { attrName: 'name', side: 'theirs' },
        mine: { attrName: 'name', side: 'mine' },
      },
      'stale.save': bare,
      'stale.cancel': bare,
    },
    outcomes: {
      loadForm: (input) => ({
        loaded: {
          ok: true,
          output: {
            config: formConfig,
            row: input.id === null ? null : buildFormRow('old', 1),
            now: '2026-01-01 00:00:00',
            ...(input.copyOf === undefined ? {} : { copied: buildFormRow('old', 1) }),
          },
        },
        down: { ok: false, error: apiProblem(503) },
      }),
      saveRow: pickCases(saves, more.saves ?? ['saved', 'invalid']),
    },
    eventsIn: () => ({}),
    unhandled: 'all',
    key: buildFormKey,
    project,
  })
}

function buildFormKey(s: FormSnapshot): string {
  return JSON.stringify([
    s.value,
    s.context.input.id,
    s.context.input.viewOnly ?? false,
    s.context.values,
    s.context.original,
    s.context.row?.version ?? null,
    Object.entries(s.context.faults).map(([name, fault]) => [name, fault.rule]),
    s.context.problem?.code ?? null,
    s.context.stale?.choices ?? null,
    s.context.stale?.theirs.version ?? null,
    s.context.folded,
    s.context.sent,
    s.context.pins,
    s.context.next,
    s.context.copied?.version ?? null,
  ])
}

function project(s: FormSnapshot): FormSeen {
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    values: JSON.stringify(s.context.values),
    faults: Object.keys(s.context.faults).join(),
    problem: s.context.problem?.code ?? null,
    stale: s.context.stale === null ? null : JSON.stringify(s.context.stale.choices),
    folded: s.context.folded.join(),
    version: s.context.row?.version ?? null,
    offers: offered.filter((type) => s.can({ type })).join(),
    pins: JSON.stringify(s.context.pins),
    copied: s.context.copied?.version ?? null,
  }
}

function pickCases<T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes(name as K)),
  ) as Pick<T, K>
}

function buildFormRow(name: string, version: number): Row {
  return {
    id: '1',
    version,
    name,
    faculty: choice('1'),
    major: choice('11'),
  }
}

const formEditModel = formModel(['edit'], ['name', 'empty'], {
  saves: ['saved', 'invalid', 'ended'],
})
const formAddModel = formModel(['add'], ['name'], { saves: ['saved', 'invalid'] })
export const formStaleModel = formModel(['edit'], ['name'], {
  saves: ['saved', 'stale', 'staleEmpty', 'already'],
})
const formLostModel = formModel(['add'], ['name', 'faculty'], {
  saves: ['saved', 'lost', 'invalid'],
})
const formCascadeModel = formModel(['edit'], ['faculty'], { saves: ['saved'] })
const formSeriesModel = formModel(['copy'], ['name'], {
  pins: true,
  next: true,
  saves: ['saved'],
})
const formLostSeriesModel = formModel(['add'], ['name'], {
  next: true,
  saves: ['lost', 'already'],
})
const formViewModel = formModel(['view', 'edit'], [], { folds: true, saves: ['saved'] })

export const entityFormModels: MachineModel<FormSeen> = {
  parts: {
    cascade: formCascadeModel,
    add: formAddModel,
    series: formSeriesModel,
    lostSeries: formLostSeriesModel,
    lost: formLostModel,
    view: formViewModel,
    stale: formStaleModel,
    edit: formEditModel,
  },
  rules: entityFormRules,
  survivors: {
    'entityForm.saving onError saveRow[0] and [1] swapped':
      'the first is for an edit, the second for a create',
    'entityForm.saving onError saveRow[1] and [2] swapped':
      'the first is for a create, the second for an edit',
  },
}
