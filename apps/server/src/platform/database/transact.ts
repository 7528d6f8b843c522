import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, PostgresPool, Transaction } from 'kysely'
import { sqlState } from './problems.ts'

interface Scope {
  open: boolean
  connected: boolean
}
const scopes = new AsyncLocalStorage<Scope>()

/** serialization_failure and deadlock_detected: the same work may well succeed at once. Distributed engines answer so as a matter of course. */
const worthRetrying: readonly (string | undefined)[] = ['40001', '40P01']

/**
 * Runs `work` in one transaction, and once more if the database asks for it, so `work` must have no other effects.
 * Inside, only `trx` may be used. Using the database itself there is refused on both engines: on the embedded one, which has
 * a single connection, it would wait for itself.
 */
export async function transact<Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const once = async () => {
    const scope: Scope = { open: true, connected: false }
    try {
      return await scopes.run(scope, () => db.transaction().execute(work))
    } finally {
      scope.open = false
    }
  }
  try {
    return await once()
  } catch (error) {
    if (!worthRetrying.includes(sqlState(error))) throw error
    return await once()
  }
}

/** A pool that refuses a second connection to a flow that is inside `transact`. */
export function guardedPool(pool: PostgresPool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const scope = scopes.getStore()
      if (scope?.open) {
        if (scope.connected) throw new Error('A statement inside transact() does not use its trx.')
        scope.connected = true
      }
      return await pool.connect()
    },
    end: () => pool.end(),
  }
}
