import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, PostgresPool, Transaction } from 'kysely'
import { isMovedShard, isOutdatedStatement, sqlState } from './problems.ts'

interface Scope {
  open: boolean
  connected: boolean
}
const scopes = new AsyncLocalStorage<Scope>()

type Ending = () => Promise<void>
/** Acts of each open transaction of `transact` right before its commit. */
const endings = new WeakMap<object, Ending[]>()

/**
 * Registers work for the end of a transaction of `transact`, after all of its other statements: for
 * locks that many transactions take and that should be held for the commit only. A failure rolls
 * the transaction back. `first`: before all other work registered, so that transactions take such
 * locks in one order.
 */
export function beforeCommit(trx: object, work: Ending, { first = false } = {}): void {
  const list = endings.get(trx)
  if (list === undefined) throw new Error('beforeCommit() needs the trx of an open transact().')
  if (first) list.unshift(work)
  else list.push(work)
}

const followUps = new WeakMap<object, (() => void)[]>()

/** Registers work that must see the transaction of `transact` committed. It may not fail. */
export function afterCommit(trx: object, work: () => void): void {
  const list = followUps.get(trx)
  if (list === undefined) throw new Error('afterCommit() needs the trx of an open transact().')
  list.push(work)
}

/** A transaction over any tables. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTransaction = Kysely<any>
const hooks = new AsyncLocalStorage<(trx: AnyTransaction) => Promise<void>>()

/** Runs `work`; before every commit of a transaction in it, `hook` writes to that transaction. */
export function duringTransactions<Result>(
  hook: (trx: AnyTransaction) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  return hooks.run(hook, work)
}

/** Runs `work` without the hook of `duringTransactions`: a read-only transaction takes no writes. */
export function withoutTransactionHook<Result>(work: () => Promise<Result>): Promise<Result> {
  return hooks.exit(work)
}

/** serialization_failure and deadlock_detected, which distributed engines also return in normal operation. */
const retryableStates: readonly (string | undefined)[] = ['40001', '40P01']

/**
 * Runs `work` in one transaction, and a second time after a serialization failure, a deadlock, a
 * change of a table under a prepared statement or the move of a shard, so `work` must have no other
 * effects. Inside, use only `trx`: both engines refuse statements on the
 * database itself, because the embedded one has a single connection and would deadlock.
 */
export async function transact<Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const once = async () => {
    const scope: Scope = { open: true, connected: false }
    const later: (() => void)[] = []
    try {
      const done = await scopes.run(scope, () =>
        db.transaction().execute(async (trx) => {
          const list: Ending[] = []
          endings.set(trx, list)
          followUps.set(trx, later)
          const result = await work(trx)
          await hooks.getStore()?.(trx as unknown as AnyTransaction)
          for (const end of list) await end()
          endings.delete(trx)
          followUps.delete(trx)
          return result
        }),
      )
      for (const work of later) work()
      return done
    } finally {
      scope.open = false
    }
  }
  try {
    return await once()
  } catch (error) {
    if (!isRetryable(error)) throw error
    return await once()
  }
}

function isRetryable(error: unknown): boolean {
  return (
    retryableStates.includes(sqlState(error)) || isOutdatedStatement(error) || isMovedShard(error)
  )
}

/** Runs `work` on a connection of its own, although it is called inside `transact`. */
export function outsideTransactions<Result>(work: () => Promise<Result>): () => Promise<Result> {
  return () => scopes.exit(work)
}

/** A pool that refuses a second connection inside `transact`. */
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
