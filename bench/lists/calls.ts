// The calls that are compared. What each contestant is sent for them is in dialects.ts.
import type { Answer, Connection } from './connection.ts'
import { dialects, type Kind, type Request } from './dialects.ts'
import { chooseWord, cities } from './people.ts'

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
  'first page': (c) => requestList(c, { pageNum: 1 }),
  'filter, sort, page 2': (c) =>
    requestList(c, { pageNum: 2, city: `city${Math.floor(c.random() * cities)}`, sort: 'score' }),
  'contains two Chinese characters': (c) =>
    requestList(c, { pageNum: 1, name: chooseWord(c.random) }),
  'the same in a column with bigrams': (c) =>
    requestList(c, { pageNum: 1, note: chooseWord(c.random) }),
  'page at 90 %': (c) =>
    requestList(c, { pageNum: Math.max(1, Math.floor((c.rows * 0.9) / size)) }),
  'read one': async (c) => void (await requestOneRow(c)),
  'first page, each 20th call a create': async (c) =>
    c.random() < 0.05 ? await requestCreation(c) : await requestList(c, { pageNum: 1 }),
  create: requestCreation,
  'read and update': async (c) => {
    const row = await requestOneRow(c)
    const grade = 1 + Math.floor(c.random() * 12)
    // Two connections may have read the same row.
    await sendExpecting(c, dialects[c.kind].update({ ...row, grade }), [200, 409])
  },
} as const satisfies Record<string, Call>
export type CallName = keyof typeof calls

async function requestList(
  c: Caller,
  asked: Parameters<(typeof dialects)[Kind]['page']>[0],
): Promise<void> {
  await sendExpecting(c, dialects[c.kind].page(asked, size))
}

async function requestOneRow(c: Caller): Promise<{ readonly id: string }> {
  const id = 1 + Math.floor(c.random() * c.rows)
  const { body } = await sendExpecting(c, dialects[c.kind].read(String(id)))
  const found = JSON.parse(body) as { id: string; data?: { id: string } }
  return found.data ?? found
}

async function requestCreation(c: Caller): Promise<void> {
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
  await sendExpecting(c, dialects[c.kind].create(row))
}

async function sendExpecting(
  c: Caller,
  { method, path, body }: Request,
  statuses: readonly number[] = [200],
): Promise<Answer> {
  const found = await c.connection.send(method, path, c.token(), body)
  if (!statuses.includes(found.status))
    throw new Error(`status ${found.status}: ${found.body.slice(0, 300)}`)
  return found
}
