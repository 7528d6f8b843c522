// One faulty definition per check, each derived from a valid one by a small change. Adding a check
// without an entry is a type error.
import {
  type EntityDraft,
  entityDefinitionSchema,
  type FieldDraft,
} from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import type { CheckId } from './finding.ts'
import type { DesignContext, KnownColumn } from './context.ts'

const columns = [
  buildKnownColumn('id', 'int8', { isPrimary: true, isKey: true, nullable: false }),
  buildKnownColumn('book_no', 'varchar', { length: 32 }),
  buildKnownColumn('title', 'varchar', { length: 100, nullable: false }),
  buildKnownColumn('price', 'numeric'),
  buildKnownColumn('shelf_id', 'int8'),
  buildKnownColumn('room_id', 'int8'),
  buildKnownColumn('state', 'varchar', { length: 2 }),
  buildKnownColumn('bought_on', 'date'),
  buildKnownColumn('isbn', 'varchar', { length: 20 }),
  buildKnownColumn('parts', 'jsonb'),
  buildKnownColumn('bar_number', 'varchar', { length: 200 }),
  buildKnownColumn('door_password', 'varchar', { length: 200 }),
  buildKnownColumn('cost', 'numeric'),
  buildKnownColumn('annex_id', 'int8'),
]
/** The same columns without a key. */
const lineColumns = columns.map((each) =>
  each.name === 'id' ? { ...each, isPrimary: false, isKey: false } : each,
)
/** The same columns, of a program that keeps the rows of several tenants. */
const rentedColumns = [
  ...columns,
  buildKnownColumn('tenant_id', 'int8', { isPrimary: true, nullable: false, hasDefault: true }),
]
/** Context with one table and a second one without a key, one other entity and one dictionary. */
export const corpusContext: DesignContext = {
  columnsOf: (table) =>
    ['biz.book', 'sys.book'].includes(table)
      ? columns
      : table === 'biz.book_line'
        ? lineColumns
        : table === 'shop.book'
          ? rentedColumns
          : ['lib.book', 'shelf.book'].includes(table)
            ? columns
            : undefined,
  entityOf: (tag) =>
    tag === 'LIB_SHELF'
      ? {
          tag,
          parentField: null,
          fields: [
            { attrName: 'name', uiType: 'input', columnName: 'name' },
            { attrName: 'room', uiType: 'select', columnName: 'room_id' },
            { attrName: 'lock', uiType: 'password', columnName: 'lock' },
            { attrName: 'keeper', uiType: 'input', columnName: 'keeper' },
            { attrName: 'rent', uiType: 'inputNumber', columnName: 'rent' },
            { attrName: 'phone', uiType: 'input', columnName: 'phone', pii: 'mobile' },
          ],
        }
      : undefined,
  dictionary: (code) => (code === 'BOOK_STATE' ? ['1', '2'] : undefined),
  refusalOfSql: (text) => (text.startsWith('select') ? null : 'not one select'),
  missingIndex: (name, use) =>
    name === 'isbn' && ['leftLike', 'order'].includes(use) ? 'create index …' : null,
  formulasElsewhere: (name) => (name === 'price' ? [{ tag: 'LIB_COPY', formula: '9' }] : []),
  flowFindings: ({ options: { flow } }) =>
    flow === undefined
      ? []
      : [
          {
            id: 'flow.fault.unreachable',
            severity: flow.initial === 'draft' ? 'warning' : 'error',
            at: 'options.flow.states.lent',
            path: [],
            states: ['lent'],
            params: { state: ['借出', 'lent'] },
          },
        ],
  isSqlOff: (text) => text.endsWith('slow_view'),
  isSecret: (table, name) => table === 'biz.book' && name === 'bar_number',
  refusedColumn: (table, name) => (table === 'lib.book' && name === 'title' ? 'a password' : null),
  refusedRows: (table) => (table === 'shelf.book' ? 'of two schools' : null),
  isPersonal: (table, name) => table === 'biz.book' && name === 'isbn',
  get before() {
    return v.parse(entityDefinitionSchema, soundBook)
  },
  missingRight: (part) =>
    part.kind === 'attribute' && part.attrName === 'keeper' ? 'entity:LIB_SHELF:view' : null,
}

let last = 0
const room = { dictType: 1, dictValue: 'LIB_SHELF.name' } as const
/** A valid definition, without findings. */
export const soundBook: EntityDraft & { readonly fields: FieldDraft[] } = {
  tag: 'LIB_BOOK',
  name: '图书',
  tableName: 'book',
  idField: 'id',
  tagField: 'title',
  options: {
    serialNumType: 2,
    serialNumField: 'bookNo',
    serialNumConfig: [
      { type: 3, text: 'B' },
      { type: 2, format: 3 },
      { type: 1, length: 5, period: 'day' },
    ],
    sorts: [{ column: 'title', asc: true }],
  },
  fields: [
    addCorpusField('id', '编号', 'id', {
      uiType: 'inputNumber',
      isPk: 1,
      isList: 0,
      isAdd: 0,
      isEdit: 0,
    }),
    addCorpusField('head', '基本信息', null, { uiType: 'group', isList: 0 }),
    addCorpusField('bookNo', '书号', 'book_no', { isAdd: 2, isEdit: 2 }),
    addCorpusField('title', '书名', 'title', {
      isQuery: 1,
      queryType: 'like',
      valids: { required: true, maxLength: 100 },
    }),
    addCorpusField('price', '价格', 'price', {
      uiType: 'inputNumber',
      uiDefaultType: 0,
      defaultValue: '10',
    }),
    addCorpusField('cost', '成本', 'cost', {
      uiType: 'inputNumber',
      derived: 'row.annex.rent > 0 ? round(row.annex.rent * 0.8, 2) : null',
    }),
    addCorpusField('annex', '分馆', 'annex_id', { uiType: 'select', ...room }),
    addCorpusField('room', '书库', 'room_id', { uiType: 'select', ...room }),
    addCorpusField('shelf', '书架', 'shelf_id', {
      uiType: 'select',
      ...room,
      options: { cascades: [{ attrName: 'room', filterAttr: 'room' }] },
    }),
    addCorpusField('state', '状态', 'state', {
      uiType: 'select',
      dictType: 0,
      dictValue: 'BOOK_STATE',
      uiDefaultType: 0,
      defaultValue: '1',
    }),
    addCorpusField('boughtOn', '购入日期', 'bought_on', {
      uiType: 'date',
      uiDefaultType: 1,
      defaultValue: 'currentTime',
    }),
    addCorpusField('isbn', 'ISBN', 'isbn', { linkType: 1, linkUrl: 'https://isbn.example/{isbn}' }),
  ],
  buttons: [
    {
      code: 'lend',
      name: '借出',
      position: 2,
      positionExp: "row.state == '1'",
      eventContent: [
        { do: 'setField', attrName: 'state', value: '2' },
        { do: 'message', text: '已借出 {title}' },
      ],
    },
  ],
}

function addCorpusField(
  attrName: string,
  uiLabel: string,
  columnName: string | null,
  more: Partial<FieldDraft> = {},
): FieldDraft {
  last += 1
  return {
    id: `f-${attrName}`,
    attrName,
    uiLabel,
    columnName,
    tableName: columnName === null ? null : 'book',
    columnType: 'varchar',
    isList: 1,
    isDetail: 1,
    isAdd: 1,
    isEdit: 1,
    uiSort: last,
    ...more,
  }
}

export const corpus: Readonly<Record<CheckId, unknown>> = {
  'entity.E000': { ...soundBook, name: 12 },
  'entity.E001': { ...soundBook, tag: 'config' },
  'entity.E002': {
    ...soundBook,
    tableName: 'books',
    fields: soundBook.fields.map((one) => ({ ...one, tableName: null })),
  },
  'entity.E003': alter('isbn', { columnName: 'isbn13' }),
  'entity.E004': extra(
    addCorpusField('ISBN', '国际书号', 'parts', { columnType: 'jsonb', id: 'f-other' }),
  ),
  'entity.E005': extra(addCorpusField('isbnAgain', '又一个', 'isbn')),
  'entity.E006': { ...soundBook, idField: 'key' },
  'entity.E007': { ...soundBook, idField: 'isbn' },
  'entity.E008': { ...soundBook, tagField: 'caption' },
  'entity.E009': { ...soundBook, parentField: 'above' },
  'entity.E010': {
    ...soundBook,
    options: { ...soundBook.options, sorts: [] },
    fields: soundBook.fields.map((one) => ({ ...one, isList: 0 })),
  },
  'entity.E011': alter('isbn', { tableName: 'shelf' }),
  'entity.E012': alter('price', { uiType: 'date', uiDefaultType: -1 }),
  'entity.E013': alter('title', { valids: { required: true, maxLength: 200 } }),
  'entity.E014': extra(addCorpusField('version', '版次', 'parts')),
  'entity.E015': alter('price', { uiLabel: ' ' }),
  'entity.E016': alter('price', { uiLabel: '书名' }),
  'entity.E017': alter('price', { id: 'f-title' }),
  'entity.E018': alter('isbn', { isList: 0, isDetail: 0, isAdd: 0, isEdit: 0 }),
  'entity.E019': extra(addCorpusField('tag', '标签', 'parts')),
  'entity.E020': alter('isbn', { valids: { type: 'Isbn' } }),
  'entity.E021': alter('isbn', { valids: { required: true }, isAdd: 0 }),
  'entity.E022': alter('title', { valids: {}, isAdd: 0 }),
  'entity.E023': alter('price', { defaultValue: 'ten' }),
  'entity.E024': alter('boughtOn', { defaultValue: 'tomorrow' }),
  'entity.E025': alter('boughtOn', { defaultValue: '' }),
  'entity.E026': alter('state', { defaultValue: '9' }),
  'entity.E027': alter('title', { options: { maxLength: 50 } }),
  'entity.E028': alter('boughtOn', { valids: { type: 'Email' } }),
  'entity.E029': alter('isbn', { uiDefaultType: 3, defaultValue: 'drop table biz.book' }),
  'entity.E030': alter('state', { dictType: -1, dictValue: null, uiDefaultType: -1 }),
  'entity.E031': alter('isbn', { dictType: 0, dictValue: 'BOOK_STATE' }),
  'entity.E032': alter('state', { dictValue: 'BOOK_STATUS' }),
  'entity.E033': alter('room', { dictValue: 'LIB_SHELF' }),
  'entity.E034': alter('room', { dictValue: 'LIB_ROOM.name' }),
  'entity.E035': alter('room', { dictValue: 'LIB_SHELF.title' }),
  'entity.E036': alter('room', { dictValue: null }),
  'entity.E037': alter('room', { dictType: 2, dictValue: 'update biz.book set price = 0' }),
  'entity.E038': alter('room', { uiType: 'selectTree' }),
  'entity.E039': alter('room', { dictType: 2, dictValue: 'select id, name from biz.slow_view' }),
  'entity.E040': shelf([{ attrName: 'floor', filterAttr: 'room' }]),
  'entity.E041': shelf([{ attrName: 'shelf', filterAttr: 'room' }]),
  'entity.E042': alter('room', {
    options: { cascades: [{ attrName: 'shelf', filterAttr: 'room' }] },
  }),
  'entity.E043': shelf([{ attrName: 'title', filterAttr: 'room' }]),
  'entity.E044': shelf([{ attrName: 'room', filterAttr: 'floor' }]),
  'entity.E050': alter('boughtOn', { isQuery: 1, queryType: 'like' }),
  'entity.E051': extra(
    addCorpusField('cover', '封面', 'parts', { uiType: 'uploadImg', isQuery: 1 }),
  ),
  'entity.E052': options({ sorts: [{ column: 'pages', asc: true }] }),
  'entity.E053': alter('title', { queryType: 'resembles' }),
  'entity.E054': options({ kept: { createTime: 'nothing' } }),
  'entity.E055': extra(addCorpusField('code', '口令', 'parts', { uiType: 'password' })),
  'entity.E056': extra(addCorpusField('bar', '条码', 'bar_number')),
  'entity.E057': extra(addCorpusField('door', '门禁', 'door_password')),
  'entity.E115': {
    ...soundBook,
    fields: [
      ...soundBook.fields,
      addCorpusField('born', '出生日期', 'bought_on', { uiType: 'date', isAdd: 0, isEdit: 0 }),
      addCorpusField('holder', '证件号', 'parts', { pii: 'idCard', isAdd: 0, isEdit: 0 }),
    ],
  },
  'entity.E058': alter('room', { dictValue: 'LIB_SHELF.lock' }),
  'entity.E059': { ...soundBook, schemaName: 'sys' },
  'entity.E060': options({ serialNumField: 'number' }),
  'entity.E061': options({ serialNumConfig: [] }),
  'entity.E062': options({ serialNumConfig: [{ type: 3, text: 'B' }] }),
  'entity.E063': options({
    serialNumConfig: [
      { type: 2, format: 2 },
      { type: 1, length: 5, period: 'day' },
    ],
  }),
  'entity.E064': options({
    serialNumConfig: [
      { type: 3, text: 'LIBRARY-OF-THE-UNIVERSITY-BOOK-' },
      { type: 1, length: 5, period: 'never' },
    ],
  }),
  'entity.E065': alter('bookNo', { isAdd: 1 }),
  'entity.E066': {
    ...alter('price', { isAdd: 2, uiDefaultType: -1 }),
    options: { ...soundBook.options, serialNumField: 'price' },
  },
  'entity.E067': options({
    serialNumConfig: [
      { type: 1, length: 5, period: 'never' },
      { type: 1, length: 3, period: 'never' },
    ],
  }),
  'entity.E068': alter('isbn', { isQuery: 1, queryType: 'leftLike' }),
  'entity.E069': options({ sorts: [{ column: 'isbn', asc: true }] }),
  'entity.E070': options({ singleSelect: true, multiSelect: true }),
  'entity.E071': options({ selection: false, singleSelect: true, multiSelect: false }),
  'entity.E073': formula('round(row.price'),
  'entity.E074': formula('row.price * row.annex.width'),
  'entity.E075': formula('row.cost + 1'),
  'entity.E076': formula('row.title * 2'),
  'entity.E077': formula('row.annex.phone == null ? 1 : 2'),
  'entity.E116': alter('price', { derived: '8' }),
  'entity.E078': alter('boughtOn', { derived: "'2024-09-01'" }),
  'entity.E079': options({ titlePattern: '{title} ({head})' }),
  'entity.E045': options({
    entry: { by: ['isbn'], frozen: ['title'], columns: ['price'], progress: 'price' },
  }),
  'entity.E080': {
    ...soundBook,
    buttons: [...(soundBook.buttons ?? []), ...(soundBook.buttons ?? [])],
  },
  'entity.E081': withButton({ positionExp: 'row.state ==' }),
  'entity.E082': withButton({ positionExp: "row.status == '1'" }),
  'entity.E083': withButton({ eventContent: [{ do: 'setField', attrName: 'bookNo', value: '1' }] }),
  'entity.E084': withButton({
    eventContent: [{ do: 'request', tag: 'LIB_LOAN', method: 'create' }],
  }),
  'entity.E085': withButton({ eventContent: [{ do: 'open', to: 'javascript:alert(1)' }] }),
  'entity.E086': withButton({ eventContent: [] }),
  'entity.E087': withButton({ eventType: 2, eventContent: 'select 1' }),
  'entity.E088': withButton({ eventContent: [{ do: 'message', text: '{caption}' }] }),
  'entity.E089': withButton({ positionExp: 'process.env.HOME' }),
  'entity.E090': alter('isbn', { linkUrl: null }),
  'entity.E091': alter('isbn', { linkUrl: 'javascript:alert(1)' }),
  'entity.E092': alter('isbn', { linkUrl: 'https://isbn.example/{isbn13}' }),
  'entity.E093': alter('isbn', { linkType: 2, linkUrl: 'borrow' }),
  'entity.E094': withButton({ eventContent: 'window.close()' }),
  'entity.E095': extra(addCorpusField('tail', '其他', null, { uiType: 'group', isList: 0 })),
  'entity.E096': alter('head', { uiWidth: 50 }),
  'entity.E097': alter('isbn', { uiWidth: 0 }),
  'entity.E072': {
    ...alter('title', { columnName: null }),
    options: { ...soundBook.options, sorts: [] },
  },
  'entity.E110': alter('price', { valids: { step: 0 } }),
  'entity.E111': alter('isbn', { valids: { max: 10 } }),
  'entity.E120': alter('price', { options: { warnUnless: 'isbn' } }),
  'entity.E121': options({ flow: buildFlow('lent') }),
  'entity.E122': options({ flow: buildFlow('draft') }),
  'entity.E099': {
    ...soundBook,
    tableName: 'book_line',
    fields: soundBook.fields.map((one) => ({ ...one, tableName: null })),
  },
  'entity.E117': { ...soundBook, schemaName: 'shop' },
  'entity.E118': { ...soundBook, schemaName: 'lib' },
  'entity.E119': { ...soundBook, schemaName: 'shelf' },
  'entity.E098': alter('room', { dictValue: 'LIB_SHELF.keeper' }),
}

function buildFlow(initial: string) {
  return { field: 'state', initial, states: { draft: { name: { zh: '草稿', en: 'Draft' } } } }
}

/** Changes one field. */
function alter(attrName: string, change: Partial<FieldDraft>): EntityDraft {
  return {
    ...soundBook,
    fields: soundBook.fields.map((one) =>
      one.attrName === attrName ? { ...one, ...change } : one,
    ),
  }
}

function formula(text: string): EntityDraft {
  return alter('cost', { derived: text })
}

function extra(...fields: FieldDraft[]): EntityDraft {
  return {
    ...soundBook,
    fields: [...soundBook.fields, ...fields],
  }
}

function shelf(cascades: { attrName: string; filterAttr: string }[]) {
  return alter('shelf', { options: { cascades } })
}

function options(change: NonNullable<EntityDraft['options']>): EntityDraft {
  return {
    ...soundBook,
    options: { ...soundBook.options, ...change },
  }
}

function withButton(change: Partial<NonNullable<EntityDraft['buttons']>[number]>): EntityDraft {
  return {
    ...soundBook,
    buttons: [
      { code: 'lend', name: '借出', position: 2, eventContent: [{ do: 'refresh' }], ...change },
    ],
  }
}

function buildKnownColumn(
  name: string,
  type: string,
  more: Partial<KnownColumn> = {},
): KnownColumn {
  return {
    name,
    type,
    length: null,
    nullable: true,
    hasDefault: false,
    isPrimary: false,
    isKey: false,
    ...more,
  }
}
