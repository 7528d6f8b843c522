// Hashes of passwords: argon2id of Node's own crypto where it has one (24.7 and newer), else scrypt
// (docs/rules/security.md#p1). A stored hash names its scheme and its parameters.
import * as crypto from 'node:crypto'
import { createHashQueue, type HashCaller } from './hash-queue.ts'

interface ScryptCost {
  /** Base-2 logarithm of scrypt's N. */
  readonly log2: number
}
interface ArgonCost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
}
export type HashCost = ScryptCost | ArgonCost

const { randomBytes, scrypt, timingSafeEqual } = crypto
// Older programs have none, whatever the types say.
const argon2 = crypto.argon2 as typeof crypto.argon2 | undefined

const bytes = 32
const [blockSize, parallel] = [8, 1]

/** 128 MB and about 0.4 s a hash: the standard of Node without argon2, and of hashes made before. */
const scryptCost: ScryptCost = { log2: 17 }
/** 19 MiB and two passes, the first of OWASP's equal choices: about 33 ms a hash. */
const argonCost: ArgonCost = { memory: 19 * 1024, passes: 2 }
const standardCost: HashCost = argon2 === undefined ? scryptCost : argonCost
/** For one-time passwords of the server: of their 2^81 none is ever guessed, whatever a guess costs. */
const oneTimeScrypt: ScryptCost = { log2: 13 }
export const oneTimeCost: HashCost =
  argon2 === undefined ? oneTimeScrypt : { memory: 1024, passes: 1 }

/** The program's queue: its limits are settings (start/app.ts). */
export const hashQueue = createHashQueue({ atOnce: 2, waiting: 1_000 })

/** `argon2id$KiB$passes$lanes$salt$key` or `scrypt$log2N$r$p$salt$key`. */
export async function hashPassword(
  password: string,
  cost: HashCost = standardCost,
  caller: HashCaller = {},
): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost, caller)
  return [...describeCost(cost), salt.toString('base64url'), key.toString('base64url')].join('$')
}

function describeCost(cost: HashCost) {
  return 'log2' in cost
    ? ['scrypt', cost.log2, blockSize, parallel]
    : ['argon2id', cost.memory, cost.passes, parallel]
}

function derive(
  password: string,
  salt: Buffer,
  cost: HashCost,
  caller: HashCaller,
): Promise<Buffer> {
  const message = password.normalize('NFC')
  return hashQueue.run(caller, () =>
    'log2' in cost ? deriveScrypt(message, salt, cost) : deriveArgon(message, salt, cost),
  )
}

function deriveScrypt(message: string, salt: Buffer, { log2 }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      message,
      salt,
      bytes,
      { N: 2 ** log2, r: blockSize, p: parallel, maxmem: 256 * 2 ** log2 * blockSize },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    )
  })
}

function deriveArgon(
  message: string,
  nonce: Buffer,
  { memory, passes }: ArgonCost,
): Promise<Buffer> {
  if (argon2 === undefined)
    return Promise.reject(
      new Error(
        'a password is stored as argon2id, which this Node does not have: use 24.7 or newer',
      ),
    )
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message, nonce, memory, passes, parallelism: parallel, tagLength: bytes },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    )
  })
}

/** The cost of a stored hash; undefined for a text that is none. */
function readCost(stored: string): HashCost | undefined {
  const [scheme, first, second] = stored.split('$')
  if (scheme === 'scrypt') return { log2: Number(first) }
  return scheme === 'argon2id' ? { memory: Number(first), passes: Number(second) } : undefined
}

const isSame = (a: HashCost, b: HashCost): boolean =>
  describeCost(a).join('$') === describeCost(b).join('$')

/**
 * Whether the hash of a password that was right is to be made anew: it has an earlier standard. One-time passwords
 * are changed anyway.
 */
export function isHashOutdated(stored: string): boolean {
  const cost = readCost(stored)
  return cost !== undefined && isSame(cost, scryptCost) && !isSame(cost, standardCost)
}

/** The pattern of SQL's `like` for hashes of an earlier standard; null where there is none. */
export const outdatedPattern = isSame(scryptCost, standardCost)
  ? null
  : `${describeCost(scryptCost).join('$')}$%`

export async function verifyPassword(
  password: string,
  stored: string,
  caller: HashCaller = {},
): Promise<boolean> {
  const cost = readCost(stored)
  if (cost === undefined) return false
  const [salt = '', key = ''] = stored.split('$').slice(4)
  const expected = Buffer.from(key, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), cost, caller)
  // Takes as long as any other check, so that it does not tell who has not signed in yet.
  if (isSame(cost, oneTimeCost) || isSame(cost, oneTimeScrypt))
    await derive(password, randomBytes(16), standardCost, caller)
  return expected.length === found.length && timingSafeEqual(expected, found)
}

let dummy: Promise<string> | undefined

/** Takes as long as a check of an existing account (docs/rules/security.md#p3). */
export async function verifyUnknownAccount(
  password: string,
  caller: HashCaller = {},
): Promise<false> {
  dummy ??= hashPassword(randomBytes(16).toString('hex'))
  await verifyPassword(password, await dummy, caller)
  return false
}

let outdatedMs: Promise<number> | undefined

/** Milliseconds that a check of an outdated hash takes on this machine, measured once. */
export function measureOutdated(): Promise<number> {
  outdatedMs ??= (async () => {
    const salt = randomBytes(16)
    const started = performance.now()
    await hashQueue.run({}, () => deriveScrypt('', salt, scryptCost))
    return performance.now() - started
  })()
  return outdatedMs
}
