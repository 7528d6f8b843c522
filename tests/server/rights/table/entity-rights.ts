// The table of rights: calls on entity data, their jobs, trees, views and files.
import {
  aRow,
  bare,
  byDraft,
  byRow,
  code,
  findFieldBreach,
  fileAims,
  holdsNoSecret,
  list,
  may,
  namedPair,
  noneOfOthers,
  ofFile,
  ofRow,
  reached,
  findViewBreach,
  reachedRows,
  readRecords,
  rowsAims,
  student,
  theirBulk,
  theirImport,
  treeRows,
  untouchedImport,
  type Aim,
  type RouteRow,
  type Row,
  unreached,
} from '../aims.ts'
import { sheetRights } from './sheet-rights.ts'
import { marks, pupils } from '../shared-tables.ts'
import { picture } from '../things.ts'
import { buildSecretNumber, type RouteName } from '../world.ts'

/** A list of which `rows` reaches as many rows as their organisation has. */
const buildListAim = (tag: string, reach: number): Aim => ({
  right: may('view', tag),
  ok: 200,
  send: () => ({ params: { tag }, body: list }),
  answers: (answer, who) =>
    who !== 'rows' || readRecords(answer).length === reach
      ? null
      : `it holds ${readRecords(answer).length} of ${reach} rows`,
})

export const entityRights = {
  // Entity data
  'entityData.config': {
    right: may('view'),
    aims: { '': { ok: 200, answers: holdsNoSecret } },
  },
  'entityData.page': {
    right: may('view'),
    aims: {
      list: {
        ok: 200,
        send: async (world) => {
          await world.student('hidden')
          await world.student('own')
          return { body: list }
        },
        answers: (answer, who) => reachedRows(readRecords(answer), who),
      },
      'filter by the hidden field': {
        ok: { all: 200, fields: 422 },
        send: () => ({ body: { ...list, queries: { idCard: buildSecretNumber(1) } } }),
      },
      'sort by the hidden field': {
        ok: { all: 200, fields: 422 },
        send: () => ({ body: { ...list, sorts: [{ column: 'birthDate', asc: true }] } }),
      },
      'teachers of their organisation': buildListAim('EDU_TEACHER', 1),
      'classes of their organisation and of those below it': buildListAim('EDU_CLASS', 2),
      'students in a view': {
        right: may('view', pupils),
        ok: { all: 200, foreign: 404 },
        send: async (world) => {
          await world.student('hidden')
          await world.student('own')
          return { params: { tag: pupils }, body: list }
        },
        answers: (answer, who) => findViewBreach(readRecords(answer), who),
      },
    },
  },
  'entityData.count': {
    right: may('view'),
    aims: {
      list: {
        ok: 200,
        send: async (world) => {
          await world.student('hidden')
          await world.student('own')
          return { body: list }
        },
        answers: ({ text }, who) => {
          const { data } = JSON.parse(text) as { data: { total: number } }
          return who === 'foreign' || data.total > 0 ? null : 'it counts no rows'
        },
      },
      'filter by the hidden field': {
        ok: { all: 200, fields: 422 },
        send: () => ({ body: { ...list, queries: { idCard: buildSecretNumber(1) } } }),
      },
      'teachers of their organisation': {
        right: may('view', 'EDU_TEACHER'),
        ok: 200,
        send: () => ({ params: { tag: 'EDU_TEACHER' }, body: list }),
        answers: ({ text }, who) =>
          who !== 'rows' || text.includes('"total":1}') ? null : `it counts others: ${text}`,
      },
    },
  },
  'entityData.get': {
    right: may('view'),
    aims: {
      ...rowsAims(
        (reach) => aRow(reach),
        ({ data }, who) => findFieldBreach(data as Row, who),
      ),
      'a deleted row': {
        ok: 404,
        send: async (world) => ({ params: { id: await world.deletedStudent('own') } }),
      },
    },
  },
  'entityData.create': {
    right: may('add'),
    aims: {
      'a row': {
        ok: { all: 200, foreign: 422 },
        send: ({ things }, who) => ({ body: { ...things.body, studentNo: `A-${who}` } }),
      },
      'the hidden field': {
        ok: { all: 200, fields: 422, foreign: 422 },
        send: ({ things }, who) => ({
          body: { ...things.body, studentNo: `C-${who}`, nameEn: 'x' },
        }),
      },
      'a row of a submitted sheet, by another entity of its table': {
        right: may('add', marks),
        ok: { all: 409, foreign: 404 },
        send: async (world) => ({
          params: { tag: marks },
          body: { ...world.things.sheet.body, pupil: [{ id: await world.student('own') }] },
        }),
      },
    },
  },
  'entityData.update': {
    right: may('update'),
    aims: {
      'a row of a submitted sheet, by another entity of its table': {
        right: may('update', marks),
        ok: { all: 409, foreign: 404 },
        send: async ({ admin, things: { sheet } }) => {
          const params = { tag: marks, id: sheet.row }
          const { version } = await admin.entityData.get({ params })
          return { params, body: { version, remarks: '补录' } }
        },
      },
      ...rowsAims(
        (reach) => aRow(reach, { body: { name: '丙', version: 1 } }),
        ({ data }, who) => findFieldBreach(data as Row, who),
      ),
      'the hidden field': {
        ok: { all: 200, fields: 422, foreign: 404 },
        send: async (world) => ({
          params: { id: await world.student('own') },
          body: { idCard: buildSecretNumber(Math.floor(Math.random() * 1e6) + 5000), version: 1 },
        }),
      },
    },
  },
  'entityData.remove': {
    right: may('delete'),
    aims: {
      'a row': {
        ok: reached,
        send: async (world) => ({ params: { ids: await world.student('own') } }),
      },
      'a row outside of their rows': {
        ok: unreached,
        send: async (world) => ({ params: { ids: await world.student('hidden') } }),
      },
      'one of theirs and one outside of their rows': {
        ok: unreached,
        send: async (world) => ({
          params: { ids: `${await world.student('own')},${await world.student('hidden')}` },
        }),
      },
    },
  },
  'entityData.reveal': {
    right: may('view'),
    aims: {
      'a row': {
        ok: { ...reached, reader: 403, fields: 422 },
        send: aRow('own', { body: { field: 'idCard', reason: '核对身份信息' } }),
        answers: ({ data }) =>
          /^\d{17}[\dX]$/.test((data as { value: string }).value) ? null : 'it holds no ID number',
      },
      'a row outside of their rows': {
        ok: { ...unreached, reader: 403, fields: 422 },
        send: aRow('hidden', { body: { field: 'idCard', reason: '核对身份信息' } }),
      },
    },
  },
  'entityData.export': {
    right: may('export'),
    aims: {
      '': {
        ok: 200,
        send: () => ({ body: { queries: {}, format: 'ndjson' } }),
        answers: (answer, who) => reachedRows(answer.lines, who),
      },
      'the hidden column': {
        ok: { all: 200, fields: 422 },
        send: () => ({ body: { queries: {}, format: 'ndjson', columns: ['idCard'] } }),
      },
    },
  },
  'entityData.template': { right: may('add'), aims: { '': { ok: 200 } } },
  'entityData.lookup': {
    right: may('view', 'EDU_GRADE'),
    aims: {
      'of students': {
        ok: 200,
        send: async (world) => ({
          params: { tag: 'EDU_GRADE' },
          body: { fieldId: 'student', pageSize: 1000, searchKey: await namedPair(world) },
        }),
        answers: (answer, who) => {
          const found = readRecords(answer).length
          const wanted = who === 'foreign' ? 0 : who === 'rows' ? 1 : 2
          return found === wanted ? null : `it holds ${found} of ${wanted} rows`
        },
      },
    },
  },
  'entityData.lookupForm': {
    right: 'signed',
    aims: {
      '': {
        ok: { all: 200, student: 403, none: 403, other: 403, designer: 403 },
        send: () => ({ body: { tag: student, fieldId: 'gender' } }),
      },
    },
  },
  'history.of': {
    right: may('view'),
    aims: rowsAims((reach) => aRow(reach), holdsNoSecret),
  },
  'history.recycled': {
    right: may('delete'),
    aims: {
      '': {
        ok: 200,
        send: async (world) => {
          await world.deletedStudent('hidden')
          await world.deletedStudent('own')
          return { body: { pageSize: 1000 } }
        },
        answers: (answer, who) => reachedRows(readRecords(answer), who),
      },
    },
  },
  'history.restore': {
    right: may('delete'),
    aims: {
      'a row': {
        ok: reached,
        send: async (world) => ({ params: { ids: await world.deletedStudent('own') } }),
      },
      'a row outside of their rows': {
        ok: unreached,
        send: async (world) => ({ params: { ids: await world.deletedStudent('hidden') } }),
      },
    },
  },
  'history.purge': {
    right: code('recycle:purge'),
    aims: {
      '': {
        ok: { all: 200, foreign: 404 },
        send: async (world) => ({
          params: { ids: await world.deletedStudent('own') },
          body: { count: 1 },
        }),
      },
    },
  },
  'button.press': {
    right: may('view'),
    aims: { 'an unknown button': { ok: 404, send: () => ({ params: { code: 'none' } }) } },
  },
  'bulk.update': {
    right: may('update'),
    aims: {
      'the hidden field': {
        ok: { all: 200, fields: 422 },
        send: async (world) => ({
          body: { queries: {}, ids: [await world.student('own')], set: { nameEn: 'x' } },
        }),
      },
    },
  },
  'bulk.remove': { right: may('delete'), aims: { '': { ok: 422 } } },
  'bulk.get': theirBulk({ all: 404, full: 200 }),
  'bulk.apply': theirBulk({ all: 404, full: 409 }, { body: { count: 77 } }),
  'bulk.cancel': theirBulk({ all: 404, full: 200 }),
  'bulk.result': theirBulk({ all: 404, full: 200 }),
  'job.import': {
    right: 'signed',
    aims: {
      '': {
        ok: { all: 403, rows: 422, fields: 422, full: 422, foreign: 422 },
        send: () => ({ body: { file: new File(['x'], 'a.xlsx') } }),
      },
    },
  },
  'job.list': {
    right: 'signed',
    aims: {
      '': {
        ok: 200,
        answers: (answer, who) =>
          readRecords(answer).length > 0 === (who === 'full') ? null : 'it holds the wrong jobs',
      },
    },
  },
  'job.all': bare(code('job:view'), 200),
  'job.get': theirImport({ all: 404, full: 200 }),
  'job.resume': untouchedImport(),
  'job.cancel': untouchedImport(),
  'job.mend': untouchedImport({ body: { cells: [{ row: 2, attrName: 'name', value: '乙' }] } }),
  'job.result': theirImport({ all: 404, full: 409 }),
  'job.rows': theirImport({ all: 404, full: 200 }, { query: { verdict: 'wrong' } }),
  'job.remembered': bare('signed', 200),
  'job.forget': bare('signed', 200),

  ...sheetRights,

  // Trees
  'tree.children': {
    right: may('view', 'SYS_ORG'),
    aims: {
      '': {
        ok: 200,
        send: async (world) => {
          await world.organisation()
          return { params: { tag: 'SYS_ORG' } }
        },
        answers: treeRows,
      },
    },
  },
  'tree.search': {
    right: may('view', 'SYS_ORG'),
    aims: {
      '': {
        ok: 200,
        send: () => ({ params: { tag: 'SYS_ORG' }, body: { queries: { name: '机构' } } }),
        answers: treeRows,
      },
    },
  },
  'tree.order': {
    right: may('update', 'SYS_ORG'),
    aims: {
      '': {
        ok: unreached,
        send: async (world) => ({
          params: { tag: 'SYS_ORG' },
          body: { ids: [await world.organisation()] },
        }),
      },
    },
  },
  'tree.move': {
    right: may('update', 'SYS_ORG'),
    aims: {
      '': {
        ok: unreached,
        send: async (world) => ({
          params: { tag: 'SYS_ORG', id: await world.organisation() },
          body: { version: 1, parent: '0' },
        }),
      },
    },
  },

  // Views
  'view.list': {
    right: may('view'),
    aims: {
      '': {
        ok: 200,
        answers: ({ text }, who) =>
          text.includes('管理员的视图') === (who === 'full') ? null : 'it holds the wrong views',
      },
    },
  },
  'view.create': bare(may('view'), 422),
  'view.update': {
    right: may('view'),
    aims: {
      "the administrator's": {
        ok: { all: 404, full: 409 },
        send: ({ things }) => ({
          params: { id: things.view },
          body: { name: 'x', scope: 'mine', version: 77, queries: {}, sorts: [] },
        }),
      },
    },
  },
  'view.remove': {
    right: may('view'),
    // The administrator is the last subject.
    aims: {
      "the administrator's": {
        ok: { all: 404, full: 200 },
        send: ({ things }) => ({ params: { id: things.view } }),
      },
    },
  },
  'view.open': {
    right: may('view'),
    aims: { '': { ok: 200, send: () => ({ body: { opens: 'plain' } }) } },
  },
  'view.keepLayout': {
    right: may('view'),
    aims: { '': { ok: 200, send: () => ({ body: { columns: null } }) } },
  },
  'view.keepWidths': {
    right: may('view'),
    aims: { '': { ok: 200, send: () => ({ body: { widths: {} } }) } },
  },

  // Files
  'attachment.upload': {
    right: 'signed',
    aims: {
      'to a row': {
        ok: { ...byDraft(false), reader: 403 },
        send: async (world) => ({
          body: { file: picture(), bizType: student, bizId: await world.student('own') },
        }),
      },
      'to a row outside of their rows': {
        ok: { ...byDraft(true), reader: 403 },
        send: async (world) => ({
          body: { file: picture(), bizType: student, bizId: await world.student('hidden') },
        }),
      },
    },
  },
  'attachment.list': {
    right: 'signed',
    aims: {
      'of a row': { ok: byDraft(false), send: ofRow('own'), answers: noneOfOthers },
      'of a row outside of their rows': {
        ok: byDraft(true),
        send: ofRow('hidden'),
        answers: noneOfOthers,
      },
    },
  },
  'attachment.remove': { right: 'signed', aims: fileAims({ reader: 403 }) },
  'attachment.download': { right: 'signed', aims: fileAims({}) },
  'attachment.downloadOfRow': {
    right: 'signed',
    aims: {
      'of a row': { ok: byRow(false), send: ofFile('own') },
      'of a row outside of their rows': { ok: byRow(true), send: ofFile('hidden') },
    },
  },
  'attachment.ticket': {
    right: 'signed',
    aims: {
      'for a row': {
        ok: byDraft(false),
        send: async (world) => ({ body: { bizType: student, bizId: await world.student('own') } }),
      },
      'for a row outside of their rows': {
        ok: byDraft(true),
        send: async (world) => ({
          body: { bizType: student, bizId: await world.student('hidden') },
        }),
      },
    },
  },
} satisfies Readonly<Partial<Record<RouteName, RouteRow>>>
