// Runs a request with an Idempotency-Key once (docs/rules/contract.md#creates). The key's row is
// claimed before the handler runs and marked in every transaction that the handler commits, so that
// after a crash a repeat knows whether anything was written.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyBodyCode, keyRunningCode } from '@jiaowu/api/problem'
import { sql } from 'kysely'
import type { PlatformServices } from './context.ts'
import { duringTransactions, type AnyTransaction } from './database/transact.ts'
import { isUnavailable } from './database/problems.ts'
import { exactlyOne } from './database/tables/row-count.ts'
import { Refusal } from './refusal.ts'

/** Longer than any handler runs; a crashed request can be repeated after it. */
const leaseMs = 120_000
const repeatMs = 500
export const keyLifeMs = 24 * 3_600_000

type Clocked = Pick<PlatformServices, 'database' | 'now'>

export interface KeyedCall {
  readonly tenant: string
  /** The owner of the key: `staff:1`. */
  readonly person: string
  /** Method and path. */
  readonly route: string
  readonly key: string
  /** The canonical form of the body. */
  readonly body: string
}

interface KeyRow {
  readonly body_hash: string
  readonly token: string | null
  readonly lease_until: string | null
  readonly written_at: string | null
  readonly ref: string | null
  readonly answer: string | null
  readonly create_time: string
}

interface Run {
  isOpen: boolean
  isWritten: boolean
  ref: string | null
}
const runs = new AsyncLocalStorage<Run>()

/** Names what the handler writes, from which a repeat after a crash can answer. Call it before the commit. */
export function rememberWritten(ref: string): void {
  const run = runs.getStore()
  if (run?.isOpen === true) run.ref = ref
}

/**
 * The answer of the first request with the key; `isReplay` when it was given before.
 * @param recover answers from what the first request has written, when it crashed after its commit
 * @throws Refusal 422/42201 for another body, 409/40901 while the first request runs
 */
export async function runOnce(
  services: Clocked,
  call: KeyedCall,
  run: () => Promise<string>,
  recover: (ref: string) => Promise<string> | null,
): Promise<{ answer: string; isReplay: boolean }> {
  const token = randomUUID()
  const found = await claim(services, call, token).catch((error: unknown) => {
    // The row may have been written although the answer was lost.
    if (isUnavailable(error)) void untilDone(() => release(services, call, token, false))
    throw error
  })
  if (found === null) return { answer: await firstRun(services, call, token, run), isReplay: false }
  if (found.answer !== null) return { answer: unseal(found.answer, call), isReplay: true }
  const recovered = found.ref === null ? null : recover(found.ref)
  if (recovered === null)
    throw new Refusal(409, { key: 'problem.keyUnanswered' }, { code: keyRunningCode })
  return { answer: await recovered, isReplay: true }
}

/** Claims the key for this request: null, or the row of a request that has been carried out. */
async function claim(
  { database: { kysely }, now }: Clocked,
  call: KeyedCall,
  token: string,
): Promise<KeyRow | null> {
  const body = bodyHash(call)
  for (;;) {
    const at = now()
    const lease = new Date(at.getTime() + leaseMs).toISOString()
    const { numAffectedRows: claimed } = await sql`
      insert into sys.idempotency_key
        (tenant_id, person, key_hash, body_hash, token, lease_until, create_time)
      values (${call.tenant}::int8, ${call.person}, ${keyHash(call)}, ${body}, ${token},
        ${lease}::timestamptz, ${at.toISOString()}::timestamptz)
      on conflict do nothing`.execute(kysely)
    if (claimed === 1n) return null
    const {
      rows: [row],
    } = await sql<KeyRow>`
      select body_hash, token, lease_until, written_at, ref, answer, create_time
      from sys.idempotency_key where ${keyIs(call)}`.execute(kysely)
    if (row === undefined) continue
    const isLeased = row.lease_until !== null && new Date(row.lease_until) > at
    if (!isLeased && at.getTime() - new Date(row.create_time).getTime() > keyLifeMs) {
      await sql`
        delete from sys.idempotency_key
        where ${keyIs(call)} and create_time = ${row.create_time}::timestamptz`.execute(kysely)
      continue
    }
    if (row.body_hash !== body)
      throw new Refusal(422, { key: 'problem.keyOtherBody' }, { code: keyBodyCode })
    if (row.answer !== null) return row
    if (isLeased)
      throw new Refusal(409, { key: 'problem.keyRunning' }, { code: keyRunningCode, retryAfter: 1 })
    if (row.written_at !== null) return row
    // The first request ended without a trace and wrote nothing: this one takes its place.
    const { numAffectedRows: taken } = await sql`
      update sys.idempotency_key set token = ${token}, lease_until = ${lease}::timestamptz
      where ${keyIs(call)} and token is not distinct from ${row.token}::text
        and written_at is null`.execute(kysely)
    if (taken === 1n) return null
  }
}

async function firstRun(
  { database, now }: Clocked,
  call: KeyedCall,
  token: string,
  run: () => Promise<string>,
): Promise<string> {
  const { kysely } = database
  const state: Run = { isOpen: true, isWritten: false, ref: null }
  const mine = sql`${keyIs(call)} and token = ${token}`
  // A request whose lease has passed to another one rolls back here.
  const mark = async (trx: AnyTransaction): Promise<void> => {
    if (!state.isOpen) return
    exactlyOne(
      await sql`
        update sys.idempotency_key
        set written_at = ${now().toISOString()}::timestamptz, ref = ${state.ref}::text
        where ${mine}`.execute(trx),
      'Idempotency-Key',
    )
    state.isWritten = true
  }
  try {
    const answer = await runs.run(state, () => duringTransactions(mark, run))
    state.isOpen = false
    await sql`
      update sys.idempotency_key
      set answer = ${sealAnswer(answer, call)}, token = null, lease_until = null
      where ${mine}`.execute(kysely)
    return answer
  } catch (error) {
    state.isOpen = false
    // A refusal means that nothing was done. After any other failure a repeat must not write again.
    const keep = state.isWritten && !(error instanceof Refusal)
    const end = () => release({ database, now }, call, token, keep)
    if (isUnavailable(error)) void untilDone(end)
    else await end()
    throw error
  }
}

/** Ends the claim of a request that is not carried on. @param keep the mark that it may have written */
async function release(
  { database: { kysely } }: Clocked,
  call: KeyedCall,
  token: string,
  keep: boolean,
): Promise<void> {
  const mine = sql`${keyIs(call)} and token = ${token}`
  await (
    keep
      ? sql`update sys.idempotency_key set lease_until = null where ${mine}`
      : sql`delete from sys.idempotency_key where ${mine}`
  ).execute(kysely)
}

/**
 * Repeats a statement while the database is away: a repeat of the request would otherwise be refused
 * until the lease ends.
 */
async function untilDone(write: () => Promise<void>): Promise<void> {
  const until = performance.now() + leaseMs
  const isAway = () =>
    write().then(
      () => false,
      (error: unknown) => isUnavailable(error),
    )
  while ((await isAway()) && performance.now() < until)
    await sleep(repeatMs, undefined, { ref: false })
}

/** Deletes keys after 24 hours. */
export async function dropOldKeys(
  { database: { kysely }, now }: Clocked,
  tenant: string,
): Promise<void> {
  const before = new Date(now().getTime() - keyLifeMs).toISOString()
  await sql`
    delete from sys.idempotency_key
    where tenant_id = ${tenant}::int8 and create_time < ${before}::timestamptz`.execute(kysely)
}

function keyIs(call: KeyedCall) {
  return sql`tenant_id = ${call.tenant}::int8 and person = ${call.person}
    and key_hash = ${keyHash(call)}`
}

function keyHash({ route, key }: KeyedCall): string {
  return createHash('sha256').update(`${route}\n${key}`).digest('base64url')
}

/** Keyed, because a plain hash of a short body could be reversed by trying. */
function bodyHash({ key, body }: KeyedCall): string {
  return createHmac('sha256', key).update(body).digest('base64url')
}

function cipherKey({ key }: KeyedCall): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'jiaowu idempotency', 32))
}

function sealAnswer(answer: string, call: KeyedCall): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', cipherKey(call), nonce)
  const sealed = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unseal(text: string, call: KeyedCall): string {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(call), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
