import { ApiProblem, networkProblem, staleCode } from '@jiaowu/api/problem'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Row, Values } from '@jiaowu/api/entity/values'
import type { KeptEdits, PasteCheck } from '@jiaowu/machines/grid-edit/context'
import type { RowSave, SaveAnswer } from '@jiaowu/machines/grid-edit/ports'
import * as v from 'valibot'
import { apiProblem } from '../problems.ts'

/** A name that must be given, a mark of at most three characters, and a column that only shows. */
export const gridConfig: EntityConfig = {
  tag: 'A',
  name: '甲',
  buttons: [],
  idField: 'id',
  tagField: 'name',
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
    buildGridField({ attrName: 'name', uiLabel: '姓名', isQuery: 1, valids: { required: true } }),
    buildGridField({ attrName: 'mark', uiLabel: '成绩', uiType: 'inputNumber' }),
    buildGridField({ attrName: 'shown', uiLabel: '状态', isAdd: 2, isEdit: 2 }),
  ],
}

function buildGridField(draft: Omit<FieldDraft, 'id'>): Field {
  return {
    ...v.parse(fieldDefinitionSchema, { id: draft.attrName, isList: 1, ...draft }),
    sortable: true,
  }
}

export function gridRows(ids: readonly string[]): Row[] {
  return ids.map((id, i) => ({ id, version: 1, name: `n${id}`, mark: i + 1, shown: 's' }))
}

/** As the server stores a row that is sent; the version does not grow, so that paths end. */
function storedAs({ id, values }: RowSave): Row {
  return { ...gridRows([id ?? 'new'])[0], ...values, id: id ?? 'new', version: 2 } as Row
}

interface Saves {
  readonly rows: readonly RowSave[]
}
const answerEach =
  (answer: (row: RowSave) => SaveAnswer) =>
  ({ rows }: Saves) =>
    ({ ok: true, output: rows.map(answer) }) as const
const answerProblem =
  (make: (row: RowSave) => ApiProblem): ((row: RowSave) => SaveAnswer) =>
  (row) => ({ key: row.key, problem: make(row).problem })
const buildOtherRow = (id: string | null, values: object): Row =>
  ({ ...gridRows([id ?? 'a'])[0], ...values, version: 9 }) as Row

/** How a round of saves can end. */
export const saveEnds = {
  saved: answerEach((row) => ({ key: row.key, row: storedAs(row) })),
  invalid: answerEach(
    answerProblem(({ values }) =>
      apiProblem(42200, {
        kind: 'invalid',
        issues: [{ path: Object.keys(values)[0] ?? '', rule: 'unique', msg: 'taken' }],
      }),
    ),
  ),
  forbidden: answerEach(answerProblem(() => apiProblem(403))),
  // Somebody else changed the same cell, another cell, or has already stored what is sent.
  stale: answerEach((row) => ({
    key: row.key,
    problem: apiProblem(staleCode, {
      data: buildOtherRow(
        row.id,
        Object.fromEntries(Object.keys(row.values).map((name) => [name, 'other'])),
      ),
    }).problem,
    by: { name: '王', at: '2026-01-02 03:04:05' },
  })),
  apart: answerEach(
    answerProblem(({ id }) =>
      apiProblem(staleCode, { data: buildOtherRow(id, { shown: 'moved' }) }),
    ),
  ),
  done: answerEach(
    answerProblem(({ id, values }) => apiProblem(staleCode, { data: buildOtherRow(id, values) })),
  ),
  busy: answerEach(answerProblem(() => apiProblem(503))),
  silent: () => ({ ok: true, output: [] }) as const,
  down: () => ({ ok: false, error: networkProblem() }) as const,
} as const

export const pasteCheck: PasteCheck = {
  jobId: 'j1',
  cells: 1,
  changed: 1,
  fresh: 1,
  same: 0,
  wrong: 1,
  rows: [
    {
      row: 1,
      verdict: 'changed',
      id: 'a',
      name: 'na',
      cells: [{ attrName: 'name', label: '姓名', before: 'na', after: 'x' }],
      errors: [],
      written: false,
    },
    {
      row: 2,
      verdict: 'fresh',
      id: null,
      name: 'y',
      cells: [{ attrName: 'name', label: '姓名', before: null, after: 'y' }],
      errors: [],
      written: false,
    },
  ],
  refused: [
    {
      row: 3,
      verdict: 'wrong',
      id: null,
      name: '',
      cells: [],
      errors: [
        {
          row: 3,
          column: '成绩',
          attrName: 'mark',
          value: 'z',
          rule: 'value',
          msg: '应为数字',
          suggestions: [],
        },
      ],
      written: false,
    },
  ],
  before: [{ id: 'a', values: { name: 'na' } }],
  after: [
    { id: 'a', values: { name: 'x' } },
    { id: null, values: { name: 'y' } },
  ],
  left: [
    {
      id: null,
      index: 2,
      held: null,
      values: { name: 'z', mark: 'z' },
      faults: { mark: '应为数字' },
    },
  ],
}
export const nothingToDo: PasteCheck = {
  ...pasteCheck,
  cells: 0,
  changed: 0,
  fresh: 0,
  wrong: 3,
  rows: [],
  before: [],
  after: [],
}

/** A name that was typed, and a column that is gone by now. */
export const keptRows: KeptEdits = {
  version: 1,
  rows: [keptRow('b', 'b', { name: 'typed' }), keptRow('gone', 'gone', { 'no such field': 1 })],
}
/** A wrong cell of a row that the list does not show, and a half filled new row. */
export const keptFar: KeptEdits = {
  version: 1,
  rows: [
    keptRow('far', 'far', { mark: 'x' }, { faults: { mark: '应为数字' } }),
    keptRow('\n4', null, { mark: 3 }, { isReleased: false }),
  ],
}

function keptRow(
  key: string,
  id: string | null,
  values: Values,
  more: Partial<KeptEdits['rows'][number]['edit']> = {},
): KeptEdits['rows'][number] {
  return {
    key,
    edit: {
      id,
      base: id === null ? null : (gridRows([id])[0] ?? null),
      values,
      sent: null,
      isSaving: false,
      faults: {},
      theirs: null,
      expects: null,
      isReleased: true,
      theirsBy: null,
      isWhole: false,
      ...more,
    },
  }
}
