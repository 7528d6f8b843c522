// Proof of work beside a captcha (docs/rules/security.md#h1): each answer costs its sender processor time,
// the more the more of its budget is used. The challenge is deterministic, so that its check costs the server nothing.
import { randomBytes, randomInt } from 'node:crypto'
import type { CaptchaWork } from '@jiaowu/api/contract/student/captcha-work'
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { parseJson } from '@jiaowu/api/exact-json'
import type { Context } from '../model/context.ts'
import { type Budget, usedShare } from '../platform/limits/budgets.ts'

/** Iterations of one derivation; a processor of 2024 makes some thousand derivations a second. */
const cost = 2_000
/** Derivations, in the mean, by level; none at level 0. */
const derivations = [0, 2_000, 5_000, 10_000] as const
/** The used share of a budget above which each level begins. */
const shares = [0.5, 0.7, 0.85] as const

/** 0 to 3. @param budgets those of the caller's address and network */
export async function workLevel(context: Context, budgets: readonly Budget[]): Promise<number> {
  const used = await usedShare(context.database, budgets, context.now())
  const level = shares.filter((share) => used > share).length
  return context.settings.captchaWork ? Math.max(1, level) : level
}

/** Stored with a captcha. */
interface Stored {
  readonly challenge: Challenge
  readonly secret: string
}

/** A challenge: what the client gets and what is stored; null at level 0. */
export async function newWork(
  level: number,
): Promise<{ readonly sent: CaptchaWork; readonly stored: string } | null> {
  const mean = derivations[level] ?? 0
  if (mean === 0) return null
  const secret = randomBytes(32).toString('base64url')
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    counter: randomInt(mean / 2, (mean * 3) / 2),
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  })
  const { algorithm, nonce, salt, keyLength, keyPrefix } = challenge.parameters
  return {
    sent: { parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix } },
    stored: JSON.stringify({ challenge, secret } satisfies Stored),
  }
}

/** Whether the header of a request, `COUNTER.KEY`, solves a stored challenge. */
export async function isWorkDone(stored: string, header: string | null): Promise<boolean> {
  const [, counter, derivedKey = ''] = /^(\d{1,9})\.([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (counter === undefined) return false
  const { challenge, secret } = parseJson(stored) as Stored
  const { verified } = await verifySolution({
    challenge,
    solution: { counter: Number(counter), derivedKey },
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  })
  return verified
}
