import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { text } from './shapes.ts'
import { tokens } from './session.ts'

/** The kinds of second factors that a sign-in takes (docs/rules/security.md#s10). */
export const factorKinds = ['totp', 'passkey', 'recovery'] as const
export type FactorKind = (typeof factorKinds)[number]

/** A message of the WebAuthn protocol, as the library of browsers reads and writes it. */
const webAuthn = v.record(v.string(), v.unknown())
const code = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40))
/** The step is that of the refusal 40101 of the sign-in. */
const step = { token: text, remember: v.optional(v.boolean(), false) }

/** Data of a sign-in that is answered with 40101: a second factor is needed. */
export interface FactorStep {
  readonly token: string
  readonly kinds: readonly FactorKind[]
}

const passkey = v.object({
  id: v.string(),
  name: v.string(),
  madeAt: v.string(),
  usedAt: v.nullable(v.string()),
})
const ownFactors = v.object({
  /** Whether a role of the caller, or the network that they call from, demands a factor. */
  demanded: v.boolean(),
  totp: v.nullable(v.object({ confirmedAt: v.string() })),
  passkeys: v.array(passkey),
  /** False where the address of the server has no name, which passkeys are bound to. */
  takesPasskeys: v.boolean(),
  /** Recovery codes that were not used. */
  recoveryLeft: v.number(),
  /** Browsers that are not asked. */
  browsers: v.number(),
})
export type OwnFactors = v.InferOutput<typeof ownFactors>

/** New recovery codes: they are shown once. Null where the caller has some already. */
const recovery = v.nullable(v.array(v.string()))

/** Second factors of staff (docs/rules/security.md#s10). */
export const factor = {
  /**
   * Goes on with a sign-in that was answered with 40101, and answers what the sign-in answers. `remember`: this
   * browser is not asked for 30 days.
   * @throws 400 for a wrong code, with `data.factor` as long as the step is open; 429 after too many
   */
  verify: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/factor/verify',
    access: 'public',
    flat: true,
    body: v.variant('kind', [
      v.strictObject({ ...step, kind: v.literal('totp'), code }),
      v.strictObject({ ...step, kind: v.literal('recovery'), code }),
      v.strictObject({ ...step, kind: v.literal('passkey'), response: webAuthn }),
    ]),
    answer: tokens,
  }),
  /** The challenge that a passkey of the person has to sign. @throws 400 for a step that is over */
  challenge: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/factor/passkey/challenge',
    access: 'public',
    body: v.strictObject({ token: text }),
    answer: v.object({ options: webAuthn }),
  }),
  /** The factors of the caller. */
  list: endpoint({ method: 'GET', path: '/auth/factor', access: 'staff', answer: ownFactors }),
  /**
   * Without a code: a new secret, in place of one that was not confirmed. With a code of it: the secret
   * is a factor from then on, and all other sessions of the caller end.
   * @throws 409 where there is one already
   */
  enrolTotp: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/factor/totp',
    access: 'staff',
    fresh: true,
    body: v.strictObject({ code: v.optional(code) }),
    answer: v.object({ secret: v.nullable(v.string()), uri: v.nullable(v.string()), recovery }),
  }),
  /** Without a response: what a new passkey has to sign. With one: it is a factor from then on. */
  enrolPasskey: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/factor/passkey',
    access: 'staff',
    fresh: true,
    body: v.strictObject({
      name: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(50))),
      response: v.optional(webAuthn),
    }),
    answer: v.object({ options: v.nullable(webAuthn), recovery }),
  }),
  /** New recovery codes in place of all earlier ones. @throws 409 without a factor */
  renewRecovery: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/factor/recovery',
    access: 'staff',
    fresh: true,
    answer: v.object({ recovery: v.array(v.string()) }),
  }),
  /**
   * Removes `totp`, a passkey by its id, or `browsers`: every browser is asked again.
   * @throws 404; 409 for the last factor where one is demanded
   */
  remove: endpoint({
    method: 'DELETE',
    path: '/auth/factor/{id}',
    access: 'staff',
    fresh: true,
    answer: v.null(),
  }),
} as const
