import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../platform/refusal.ts'

/** Base-2 logarithm of scrypt's N. */
export interface HashCost {
  readonly log2: number
}
/** 128 MB and about 0.3 s per hash (docs/rules/security.md#p1). */
const standardCost: HashCost = { log2: 17 }

/**
 * For one-time passwords of the server: of their 2^81 none is ever guessed, whatever a guess costs. 8 MB and about
 * 20 ms per hash.
 */
export const oneTimeCost: HashCost = { log2: 13 }

const bytes = 32
const [blockSize, parallel] = [8, 1]
const [maxConcurrent, queueLimit] = [2, 20]

let running = 0
const waiting: (() => void)[] = []

/** `scrypt$log2N$r$p$salt$key`: stores its parameters, so that the cost can be raised later. */
export async function hashPassword(
  password: string,
  { log2 }: HashCost = standardCost,
): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, log2)
  return [
    'scrypt',
    log2,
    blockSize,
    parallel,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$')
}

function derive(password: string, salt: Buffer, log2: number): Promise<Buffer> {
  return limitConcurrency(
    () =>
      new Promise((resolve, reject) => {
        scrypt(
          password.normalize('NFC'),
          salt,
          bytes,
          { N: 2 ** log2, r: blockSize, p: parallel, maxmem: 256 * 2 ** log2 * blockSize },
          (error, key) => (error === null ? resolve(key) : reject(error)),
        )
      }),
  )
}

/**
 * Runs at most two hashes at a time, so that sign-ins cannot overload the server
 * (docs/rules/security.md#decisions). @throws Refusal 503 when 20 are waiting
 */
async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxConcurrent) {
    if (waiting.length >= queueLimit)
      throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 5 })
    await new Promise<void>((go) => {
      waiting.push(go)
    })
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, log2, , , salt = '', key = ''] = stored.split('$')
  if (scheme !== 'scrypt') return false
  const expected = Buffer.from(key, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), Number(log2))
  // Takes as long as any other check, so that it does not tell who has not signed in yet.
  if (Number(log2) === oneTimeCost.log2) await derive(password, randomBytes(16), standardCost.log2)
  return expected.length === found.length && timingSafeEqual(expected, found)
}

let dummy: Promise<string> | undefined

/** Takes as long as a check of an existing account (docs/rules/security.md#p3). */
export async function verifyUnknownAccount(password: string): Promise<false> {
  dummy ??= hashPassword(randomBytes(16).toString('hex'))
  await verifyPassword(password, await dummy)
  return false
}
