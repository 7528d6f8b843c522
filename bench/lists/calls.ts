// The calls that are compared, as the product and as the bare server take them.
import { cities, needle, tag } from './people.ts'
import type { Answer, Connection } from './connection.ts'

export type Kind = 'ours' | 'bare'
export interface Caller {
  readonly kind: Kind
  readonly connection: Connection
  readonly token: () => string
  readonly rows: number
  readonly random: () => number
  readonly newId: () => string
}
type Call = (caller: Caller) => Promise<void>

const size = 20

export const calls = {
  'first page': (c) => list(c, { pageNum: 1 }),
  'filter, sort, page 2': (c) =>
    list(c, { pageNum: 2, city: `city${Math.floor(c.random() * cities)}`, sort: 'score' }),
  'contains two Chinese characters': (c) => list(c, { pageNum: 1, name: needle }),
  'the same in a column with bigrams': (c) => list(c, { pageNum: 1, note: needle }),
  'page at 90 %': (c) => list(c, { pageNum: Math.max(1, Math.floor((c.rows * 0.9) / size)) }),
  'read one': async (c) => void (await read(c)),
  'first page, each 20th call a create': async (c) =>
    c.random() < 0.05 ? await create(c) : await list(c, { pageNum: 1 }),
  create,
  'read and update': async (c) => {
    const row = await read(c)
    const grade = 1 + Math.floor(c.random() * 12)
    await done(
      c.kind === 'ours'
        ? c.connection.send('PUT', `/api/entity/${tag}/data/${row.id}`, c.token(), {
            ...row,
            grade,
          })
        : c.connection.send('PUT', `/row/${row.id}`, '', { ...row, grade }),
      // Two connections may have read the same row.
      [200, 409],
    )
  },
} as const satisfies Record<string, Call>
export type CallName = keyof typeof calls

/** What a page of the list is asked for. */
export interface Asked {
  readonly pageNum: number
  readonly city?: string
  readonly name?: string
  readonly note?: string
  readonly sort?: 'score'
}

async function list(c: Caller, asked: Asked): Promise<void> {
  const { pageNum, sort, ...queries } = asked
  await done(
    c.kind === 'bare'
      ? c.connection.send('POST', '/page', '', asked)
      : c.connection.send('POST', `/api/entity/${tag}/data/page`, c.token(), {
          pageSize: size,
          pageNum,
          queries,
          sorts: sort === undefined ? [] : [{ column: sort, asc: false }],
        }),
  )
}

async function read(c: Caller): Promise<{ readonly id: string }> {
  const id = 1 + Math.floor(c.random() * c.rows)
  const { body } = await done(
    c.kind === 'ours'
      ? c.connection.send('GET', `/api/entity/${tag}/data/${id}`, c.token())
      : c.connection.send('GET', `/row/${id}`, ''),
  )
  const found = JSON.parse(body) as { id: string; data?: { id: string } }
  return found.data ?? found
}

async function create(c: Caller): Promise<void> {
  const id = c.newId()
  const row = {
    id,
    code: `N${id}`,
    name: '新来的人',
    city: 'city1',
    grade: 3,
    score: 61.5,
    born: '2001-02-03',
    phone: '13900000000',
    note: 'made by the benchmark',
  }
  await done(
    c.kind === 'ours'
      ? c.connection.send('POST', `/api/entity/${tag}/data`, c.token(), row)
      : c.connection.send('POST', '/row', '', row),
  )
}

async function done(answer: Promise<Answer>, statuses: readonly number[] = [200]): Promise<Answer> {
  const found = await answer
  if (!statuses.includes(found.status))
    throw new Error(`status ${found.status}: ${found.body.slice(0, 300)}`)
  return found
}
