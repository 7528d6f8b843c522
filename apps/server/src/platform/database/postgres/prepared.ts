// Names the statements of a connection that repeat, so that the server parses and plans them once
// (docs/operations/database.md#prepared-statements).
import type pg from 'pg'
import { isMovedShard, isOutdatedStatement } from '../problems.ts'

/** Statements prepared on one connection. A plan of a list takes some 50 kB of the server's memory. */
const maxPrepared = 150
/** From this use on a text is prepared: most texts that do not repeat are seen once. */
const preparedFrom = 2
const maxTexts = 2_000

interface Known {
  readonly name: string
  uses: number
}
/** Texts of all connections, the least recently used first. */
const texts = new Map<string, Known>()
let lastName = 0

function nameStatement(text: string): string | null {
  const known = texts.get(text) ?? { name: `jw${(lastName += 1)}`, uses: 0 }
  known.uses += 1
  texts.delete(text)
  texts.set(text, known)
  for (const oldest of texts.keys()) {
    if (texts.size <= maxTexts) break
    texts.delete(oldest)
  }
  return known.uses < preparedFrom ? null : known.name
}

/**
 * Statements that the driver remembers of a connection, by the name of the statement; pg 8 has no
 * types for it.
 */
interface DriverStatements {
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

type Send = (...args: unknown[]) => unknown

/** Makes a client prepare what it sends with values. */
export function prepareStatements(client: pg.Client): void {
  const send = client.query.bind(client) as Send
  const prepared = new Set<string>()
  let status = 'I'
  client.connection.on('readyForQuery', (message: { readonly status: string }) => {
    status = message.status
  })
  // The driver parses a name once, and has to parse it again after the server forgot it.
  const { parsedStatements, submittedNamedStatements } =
    client.connection as unknown as DriverStatements
  const forget = (name: string) => {
    prepared.delete(name)
    delete parsedStatements[name]
    delete submittedNamedStatements[name]
    send(`deallocate "${name}"`, () => {})
  }
  client.query = ((...args: unknown[]) => {
    const [text, values, callback] = args
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return send(...args)
    const name = nameStatement(text)
    if (name === null) return send(...args)
    const isAlone = status === 'I'
    prepared.delete(name)
    prepared.add(name)
    // In a failed transaction the server would refuse to forget.
    if (prepared.size > maxPrepared && isAlone) forget(prepared.values().next().value ?? '')
    const query = { name, text, values }
    if (typeof callback === 'function') return send(query, callback)
    return (send(query) as Promise<unknown>).catch(async (error: unknown) => {
      if (isMovedShard(error) && isAlone) return await (send(text, values) as Promise<unknown>)
      if (!isOutdatedStatement(error)) throw error
      // The table has changed since. Outside of a transaction the statement did nothing and is sent again.
      if (!isAlone) {
        texts.delete(text)
        throw error
      }
      forget(name)
      texts.delete(text)
      return await (send(text, values) as Promise<unknown>)
    })
  }) as pg.Client['query']
}
