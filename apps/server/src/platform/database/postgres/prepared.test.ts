import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { diskDatabase } from '../../../../testing/database/database.ts'
import { prepareStatements } from './prepared.ts'

type Named = { readonly name: string; readonly text: string }

/** A client that notes what it is asked to send; `fail` makes the next named statement fail. */
function fakeClient() {
  const connection = Object.assign(new EventEmitter(), {
    parsedStatements: {},
    submittedNamedStatements: {},
  })
  const sent: string[] = []
  let failure: Error | null = null
  const client = {
    connection,
    query: async (statement: string | Named) => {
      sent.push(typeof statement === 'string' ? statement : `[${statement.name}] ${statement.text}`)
      if (failure === null || typeof statement === 'string') return
      const error = failure
      failure = null
      throw error
    },
  } as unknown as pg.Client
  prepareStatements(client)
  return {
    client,
    sent,
    fail: (code: string, message: string) => {
      failure = Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
    },
    begin: () => connection.emit('readyForQuery', { status: 'T' }),
  }
}
let lastText = 0
const newText = () => `select ${(lastText += 1)} where $1`

it('prepares a statement with values from its second use on', async () => {
  const { client, sent } = fakeClient()
  const text = newText()
  for (let use = 0; use < 3; use += 1) await client.query(text, [1])
  await client.query('begin')
  expect(sent[0]).toBe(text)
  expect(sent[1]).toMatch(/^\[jw\d+\] select/)
  expect(sent.slice(2)).toEqual([sent[1], 'begin'])
})

it('forgets the least recently used of 150', async () => {
  const { client, sent } = fakeClient()
  const texts = Array.from({ length: 151 }, newText)
  for (const text of texts) for (const _use of [1, 2]) await client.query(text, [1])
  const [first] = sent.filter((each) => each.startsWith('['))
  const name = /\[(\w+)\]/.exec(first ?? '')?.[1]
  expect(sent.filter((each) => each.startsWith('deallocate'))).toEqual([`deallocate "${name}"`])
})

it('prepares a forgotten statement anew on a real connection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-prepared-'))
  const database = await diskDatabase(join(folder, 'data'), async () => {})
  try {
    const askAll = async (db: Pick<typeof database.kysely, 'getExecutor'>) => {
      for (let n = 0; n < 160; n += 1) {
        const { rows } = await sql<{ sum: number }>`
          select ${n}::int4 + ${sql.lit(n)} as sum`.execute(db)
        expect(rows).toEqual([{ sum: 2 * n }])
      }
    }
    await database.kysely.connection().execute(async (db) => {
      await askAll(db)
      await askAll(db)
      await db.transaction().execute(askAll)
    })
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
})

it('sends a statement again whose table has changed, outside of a transaction', async () => {
  const { client, sent, fail, begin } = fakeClient()
  const text = newText()
  await client.query(text, [1])
  fail('0A000', 'cached plan must not change result type')
  await client.query(text, [1])
  expect(sent.at(-2)).toMatch(/^deallocate/)
  expect(sent.at(-1)).toBe(text)
  await client.query(text, [1])
  begin()
  fail('0A000', 'cached plan must not change result type')
  await expect(client.query(text, [1])).rejects.toThrow('cached plan')
  fail('23505', 'duplicate key')
  await client.query(text, [1])
  await expect(client.query(text, [1])).rejects.toThrow('duplicate key')
})
