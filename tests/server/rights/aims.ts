// Parts of the rows of the table of rights: what is sent, and what an answer must hold.
import { ownGender } from './world.ts'
import type { Subject, World } from './world-types.ts'

export type Right = 'anyone' | 'signed' | 'staff' | 'student' | { readonly code: string }
export interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Record<string, string>
  readonly body?: unknown
}
export interface Answer {
  readonly status: number
  readonly text: string
  readonly data: unknown
  /** The lines of an ndjson file. */
  readonly lines: readonly Record<string, unknown>[]
  readonly sent: Sent
}
export interface Aim {
  /** Where it is not that of the call, because the aim is at another entity. */
  readonly right?: Right
  readonly send?: (world: World, who: Subject) => Promise<Sent> | Sent
  /** The status for those with the right. */
  readonly ok: number | ({ readonly all: number } & Readonly<Partial<Record<Subject, number>>>)
  /** Null, or what is wrong with the rows and fields of an answer. */
  readonly answers?: (answer: Answer, who: Subject) => string | null
}
export interface RouteRow {
  readonly right: Right
  /** The status without the right; 403. */
  readonly denied?: number
  readonly aims: Readonly<Record<string, Aim>>
}

export const student = 'EDU_STUDENT'
export const may = (action: string, tag = student): Right => ({ code: `entity:${tag}:${action}` })
export const code = (text: string): Right => ({ code: text })
/** One call with nothing useful in it: callers with the right get the missing fields named. */
export const bare = (right: Right, ok: Aim['ok']): RouteRow => ({ right, aims: { '': { ok } } })
/** A row that other schools do not have, and `rows` does not reach. */
export const unreached = { all: 200, rows: 404, foreign: 404 } as const
/** A row that everybody of the school reaches. */
export const reached = { all: 200, foreign: 404 } as const

export type Row = Record<string, unknown>
export const readRecords = ({ data }: Answer): Row[] =>
  (data as { records?: Row[] } | null)?.records ?? []

/** Rows of a list: only those that the subject reaches, without the hidden field. */
export function reachedRows(rows: readonly Row[], who: Subject): string | null {
  if (who === 'foreign' && rows.some(isOurs)) return 'it holds rows of another school'
  if (who !== 'foreign' && rows.length === 0) return 'it holds no rows'
  const genders = new Set(rows.map(({ gender }) => readFirstId(gender)))
  if (who === 'rows' && [...genders].some((gender) => gender !== ownGender))
    return 'it holds rows outside of the scope'
  if (who !== 'rows' && who !== 'foreign' && genders.size < 2) return 'rows are missing'
  return findFieldBreach(rows[0], who)
}
const isOurs = ({ studentNo, name }: Row) => `${String(studentNo)}${String(name)}`.includes('M')

function readFirstId(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as { id?: unknown } | undefined)?.id : value
}

export function findFieldBreach(row: Row | undefined, who: Subject): string | null {
  if (who === 'fields')
    return row !== undefined && 'idCard' in row ? 'it holds the hidden field' : null
  return who === 'reader' && /\d{17}[\dX]/.test(String(row?.['idCard']))
    ? 'it holds an ID number without a mask'
    : null
}

/** A row of another school, a hidden field or a value without its mask in a list of a view. */
export function findViewBreach(rows: readonly Row[], who: Subject): string | null {
  if (rows.some(({ school }) => String(school) !== '10000'))
    return 'it holds rows of another school'
  if (rows.some((row) => 'search' in row)) return 'it holds a column of secrets'
  return reachedRows(rows, who)
}

export const holdsNoSecret: NonNullable<Aim['answers']> = ({ text }, who) =>
  who === 'fields' && /idCard|身份证|110105\d{12}/.test(text) ? 'it holds the hidden field' : null

export const list = { pageSize: 1000, pageNum: 1, queries: {} }
export const aRow =
  (reach: 'own' | 'hidden', more: Sent = {}): NonNullable<Aim['send']> =>
  async (world) => ({ ...more, params: { id: await world.student(reach) } })
export const rowsAims = (
  send: (reach: 'own' | 'hidden') => NonNullable<Aim['send']>,
  answers?: NonNullable<Aim['answers']>,
) => ({
  'a row': { send: send('own'), ok: reached, ...(answers === undefined ? {} : { answers }) },
  'a row outside of their rows': { send: send('hidden'), ok: unreached },
})
export const ofRow =
  (reach: 'own' | 'hidden'): NonNullable<Aim['send']> =>
  async (world) => ({ query: { bizType: student, bizId: await world.student(reach) } })
/** Refuses readers who may not view students by the row's entity. */
export const byRow = (hidden: boolean, ok = 200) => ({
  all: ok,
  student: 403,
  none: 403,
  other: 403,
  designer: 403,
  foreign: 404,
  ...(hidden ? { rows: 404 } : {}),
})
/** A new id that the school has no row of is that of a form: the right to add rows is the right to add files. */
export const byDraft = (hidden: boolean) => ({ ...byRow(hidden), foreign: 200 })
export const noneOfOthers: NonNullable<Aim['answers']> = ({ data }, who) =>
  who === 'foreign' && (data as unknown[]).length > 0 ? 'it holds files of others' : null

/** A bulk change of the administrator. */
export const theirBulk = (ok: Aim['ok'], more: Sent = {}): RouteRow => ({
  right: 'signed',
  aims: {
    "the administrator's": { ok, send: ({ things }) => ({ ...more, params: { id: things.bulk } }) },
  },
})
/** A dry run of the administrator's import. */
export const theirImport = (ok: Aim['ok'], more: Sent = {}): RouteRow => ({
  right: 'signed',
  aims: {
    "the administrator's": { ok, send: ({ things }) => ({ ...more, params: { id: things.job } }) },
  },
})
/** The same where the administrator would change it. */
export const untouchedImport = (more: Sent = {}): RouteRow => ({
  right: 'signed',
  aims: {
    "the administrator's": {
      ok: 404,
      send: ({ things }, who) => ({ ...more, params: { id: who === 'full' ? '1' : things.job } }),
    },
  },
})
/** A file named by its id answers them as if there were none. */
const byFile = (hidden: boolean) => ({
  ...byRow(hidden),
  student: 404,
  none: 404,
  other: 404,
  designer: 404,
})
export const fileAims = (less: Partial<Record<Subject, number>>) => ({
  'of a row': {
    ok: { ...byFile(false), ...less },
    send: async (world: World) => ({ query: { ids: (await world.file('own')).id } }),
  },
  'of a row outside of their rows': {
    ok: { ...byFile(true), ...less },
    send: async (world: World) => ({ query: { ids: (await world.file('hidden')).id } }),
  },
})
export const ofFile =
  (reach: 'own' | 'hidden'): NonNullable<Aim['send']> =>
  async (world) => ({ query: { bizType: student, bizId: (await world.file(reach)).row } })
/** The definition that the first school saved. */
export const ownEntity = (ok: Aim['ok'], id?: string): RouteRow => ({
  right: code('entity:design'),
  aims: {
    'of the first school': {
      ok,
      send: ({ things }) => ({ params: { id: id ?? things.entity } }),
    },
  },
})
/** A student of the first school named by number: a new one in the rows of `rows`, and one outside. */
export const ofStudent = (right: string, withReport = false): RouteRow => {
  const send =
    (reach: 'own' | 'hidden'): NonNullable<Aim['send']> =>
    async (world) => {
      const params = { tag: student, id: await world.student(reach) }
      const { studentNo } = await world.admin.entityData.get({ params })
      const who = {
        stuNo: String(studentNo),
        ...(withReport ? { reportId: world.things.proof } : {}),
      }
      return { query: who, body: who }
    }
  return {
    right: code(right),
    aims: {
      'a student of the first school': { ok: reached, send: send('own') },
      'a student outside of their rows': { ok: unreached, send: send('hidden') },
    },
  }
}
/** The order of a student who is not among the subjects. */
export const ofOrder = (right: Right, ok: Aim['ok']): RouteRow => ({
  right,
  aims: {
    'of a student of the first school': {
      ok,
      send: ({ things }) => ({
        query: { orderNo: things.orderNo },
        body: { orderNo: things.orderNo },
      }),
    },
  },
})

let pairs = 0
/** Two new students, one in the rows of `rows`, with a name of their own. Returns the name. */
export async function namedPair(world: World): Promise<string> {
  pairs += 1
  const name = `双生${pairs}号`
  await world.student('own', name)
  await world.student('hidden', name)
  return name
}

export function treeRows(answer: Answer, who: Subject): string | null {
  const rows = readRecords(answer)
  if (who === 'rows') return rows.length === 0 ? null : 'it holds rows outside of the scope'
  const ours = rows.some(({ row }) => String((row as Row)['name']).startsWith('机构'))
  return ours === (who !== 'foreign') ? null : 'it holds the wrong rows'
}
