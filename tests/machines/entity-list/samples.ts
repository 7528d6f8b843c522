// The configurations, events and answers of which the models of the list are made.
import { blankContent } from '@jiaowu/api/entity/list/view'
import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import type { GroupTable } from '@jiaowu/api/entity/list/list-query'
import type { Page } from '@jiaowu/api/entity/list/page'
import * as v from 'valibot'
import { bare } from '../spec.ts'
import { answerFailure } from '../problems.ts'

export function listConfig(selection: 'multi' | 'single' | 'none'): EntityConfig {
  return {
    tag: 'A',
    name: '甲',
    fields: [buildListField('name'), buildListField('no')],
    buttons: [],
    idField: 'id',
    tagField: 'name',
    permissions: [],
    options: {
      selection: selection !== 'none',
      operColumnShow: true,
      singleSelect: selection === 'single',
      multiSelect: selection === 'multi',
      openType: 'drawer',
      sorts: [],
    },
  }
}

/** A button that asks before it acts. */
export const asking: Button = {
  code: 'ask',
  name: '按钮ask',
  icon: null,
  status: 1,
  position: 1,
  positionExp: null,
  confirm: '按下吗？',
  eventType: 1,
  eventContent: [{ do: 'request', tag: 'B', method: 'create', values: { code: 'ask' } }],
}

export function buildListField(attrName: string): Field {
  return {
    ...v.parse(fieldDefinitionSchema, {
      id: attrName,
      attrName,
      uiLabel: attrName,
      isList: 1,
      isQuery: 1,
    }),
    sortable: true,
  }
}

export const buildListRow = (id: string): Row => ({ id, name: `n${id}`, version: 1 })

const viewContent = {
  ...blankContent,
  queries: { name: 'v' },
  sorts: [{ column: 'name', asc: false }],
  pageSize: 20,
}

export const events = {
  'query.change': { typed: { attrName: 'name', value: 'x' } },
  'query.search': bare,
  'query.reset': bare,
  'condition.remove': { name: { attrName: 'name' }, no: { attrName: 'no' } },
  'conditions.clear': bare,
  'where.apply': {
    some: { where: { and: [{ column: 'no', op: 'equal', value: '1' }] } },
    none: { where: null },
  },
  'view.apply': {
    mine: { queries: { name: 'v' }, sorts: [{ column: 'name', asc: false }], pageSize: 20 },
  },
  'address.show': {
    plain: { address: '', view: null, usualSize: 10 },
    second: { address: '?q.name=y&sorts=name:desc&page=2&size=5', view: null, usualSize: 10 },
    view: { address: '?view=v&page=2', view: viewContent, usualSize: 10 },
    changed: { address: '?view=v&q.name=z', view: viewContent, usualSize: 10 },
  },
  'sort.cycle': { name: { column: 'name' } },
  'sort.set': { down: { column: 'name', asc: false } },
  'group.set': {
    kind: { group: { column: 'kind' } },
    month: { group: { column: 'born', by: 'month' } },
    unfit: { group: { column: 'name' } },
    none: { group: null },
    table: { group: { column: 'kind', table: { across: { column: 'born', by: 'month' } } } },
    noTable: { group: { column: 'kind', table: { across: { column: 'name' } } } },
  },
  'group.rows': {
    cell: { row: [{ id: '1', name: 'one' }], head: '2026-02' },
    empty: { row: [] },
    all: {},
  },
  'group.toggle': { one: { key: '1' }, none: { key: '' }, month: { key: '2026-02' } },
  'groups.toggle': bare,
  'footer.set': {
    sum: { column: 'mark', fn: 'sum' },
    below: { column: 'mark', fn: 'below' },
    unfit: { column: 'name', fn: 'sum' },
    none: { column: 'mark', fn: null },
  },
  'freeze.set': { name: { column: 'name' }, none: { column: null } },
  'figures.ask': bare,
  'page.go': { second: { pageNum: 2 }, first: { pageNum: 1 } },
  'page.resize': { twenty: { pageSize: 20 } },
  'row.toggle': { a: { id: 'a' }, b: { id: 'b' } },
  'rows.toggle': bare,
  'selection.all': bare,
  'selection.clear': bare,
  'list.refresh': bare,
  'row.saved': bare,
  'delete.ask': { selection: {}, row: { id: 'b' } },
  'delete.confirm': bare,
  'delete.cancel': bare,
  'export.start': { csv: { format: 'csv' }, chosen: { format: 'csv', chosen: true } },
  'export.progress': { some: { bytes: 7 } },
  'export.cancel': bare,
  'button.press': { go: { code: 'go', row: null }, ask: { code: 'ask', row: null } },
  'press.confirm': bare,
  'press.cancel': bare,
  'undo.press': { first: { no: 1 }, second: { no: 2 } },
} as const
export type Events = typeof events

const cellSample = { count: 3, figures: [] }
const groupTable: GroupTable = {
  heads: ['2026-02'],
  rows: [{ value: [{ id: '1', name: 'one' }], cells: [cellSample], all: cellSample }],
  totals: [cellSample],
  all: cellSample,
}

export const outcomes = {
  loadConfig: {
    multi: { ok: true, output: { ...listConfig('multi'), buttons: [asking] } },
    single: { ok: true, output: listConfig('single') },
    none: { ok: true, output: listConfig('none') },
    gone: answerFailure(404),
  },
  loadPage: {
    two: { ok: true, output: buildListPage(['a', 'b'], 12) },
    other: { ok: true, output: buildListPage(['b', 'c'], 12) },
    all: { ok: true, output: buildListPage(['a', 'b'], 2) },
    table: { ok: true, output: { ...buildListPage([], 12), table: groupTable } },
    about: { ok: true, output: { ...buildListPage(['a', 'b'], 31), totalIsEstimate: true } },
    none: { ok: true, output: buildListPage([], 0) },
    pastEnd: { ok: true, output: buildListPage([], 5) },
    down: answerFailure(503),
  },
  loadFigures: {
    kinds: {
      ok: true,
      output: {
        ...buildListPage([], 12),
        groups: [
          { value: [{ id: '1', name: 'one' }], count: 7 },
          { value: [{ id: '2', name: 'two' }], count: 3 },
          { value: [], count: 2 },
        ],
        footer: [{ column: 'mark', fn: 'sum', value: 90 }],
      },
    },
    months: {
      ok: true,
      output: {
        ...buildListPage([], 12),
        groups: [
          { value: '2026-01', count: 5 },
          { value: '2026-02', count: 4 },
          { value: '2026-03', count: 3 },
        ],
      },
    },
    many: {
      ok: true,
      output: {
        ...buildListPage([], 12),
        groups: [{ value: [{ id: '1', name: 'one' }], count: 7 }],
        moreGroups: true,
      },
    },
    down: answerFailure(503),
  },
  countRows: {
    counted: { ok: true, output: { total: 30 } },
    down: answerFailure(503),
  },
  removeRows: {
    done: { ok: true, output: { deleted: 1 } },
    inUse: answerFailure(409),
  },
  exportRows: {
    saved: { ok: true, output: undefined },
    refused: answerFailure(403),
  },
  pressButton: {
    quiet: { ok: true, output: { refresh: false } },
    refresh: { ok: true, output: { refresh: true } },
    refused: answerFailure(422),
  },
  undoLast: {
    done: { ok: true, output: undefined },
    refused: answerFailure(409),
  },
} as const

export function buildListPage(ids: readonly string[], total: number): Page {
  return {
    records: ids.map(buildListRow),
    total,
    size: 10,
    current: 1,
  }
}
