// Passkeys (WebAuthn level 3): keys that a device keeps, bound to the name of this server.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isIP } from 'node:net'
import type { Services } from '../../model/context.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import type { FactorOwner } from './factors.ts'

type Db = Services['database']['kysely']

/** Milliseconds in which a challenge is answered. */
const challengeLife = 5 * 60_000

/** Loaded when a passkey is used first: its parsers of certificates take a third of a second to start. */
const loadLibrary = () => import('@simplewebauthn/server')

/** The name that passkeys are bound to; null where the server is called by an address, which has none. */
function relyingParty({ settings }: Pick<Services, 'settings'>): {
  readonly id: string
  readonly origin: string
} | null {
  const { hostname, origin } = new URL(settings.publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null
}

export function takesPasskeys(services: Pick<Services, 'settings'>): boolean {
  return relyingParty(services) !== null
}

export function listPasskeys(db: Db, { tenant, userId }: FactorOwner) {
  return db
    .selectFrom('sys.passkey')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .orderBy('made_at')
    .execute()
}

type WebAuthnMessage = Record<string, unknown>

/** The challenge for a new passkey; undefined where the server takes none. */
export async function offerPasskey(
  trx: Db,
  services: Services,
  {
    tenant,
    userId,
    account,
    name,
  }: FactorOwner & { readonly account: string; readonly name: string },
): Promise<WebAuthnMessage | undefined> {
  const party = relyingParty(services)
  if (party === null) return undefined
  const known = await listPasskeys(trx, { tenant, userId })
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: name,
    rpID: party.id,
    userID: new TextEncoder().encode(`${tenant}:${userId}`),
    userName: account,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  const row = {
    challenge: options.challenge,
    expires_at: new Date(services.now().getTime() + challengeLife),
  }
  await trx
    .insertInto('sys.passkey_challenge')
    .values({ tenant_id: tenant, user_id: userId, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(row))
    .execute()
  return { ...options }
}

/** Takes a new passkey that has signed the challenge of the account, once. @returns whether it is right */
export async function takeNewPasskey(
  trx: Db,
  services: Services,
  { tenant, userId }: FactorOwner,
  name: string,
  response: WebAuthnMessage,
): Promise<boolean> {
  const party = relyingParty(services)
  const offered = await trx
    .deleteFrom('sys.passkey_challenge')
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('expires_at', '>', services.now().toISOString())
    .returning('challenge')
    .executeTakeFirst()
  if (party === null || offered === undefined) return false
  const { verifyRegistrationResponse } = await loadLibrary()
  const checked = await orUndefined(
    verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: offered.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  )
  if (checked?.verified !== true) return false
  const { credential } = checked.registrationInfo
  await trx
    .insertInto('sys.passkey')
    .values({
      tenant_id: tenant,
      id: services.newId(),
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: String(credential.counter),
      transports: [...(credential.transports ?? [])],
      name,
      made_at: services.now(),
    })
    .execute()
  return true
}

/** The challenge for one of the account's passkeys; undefined where there is none. */
export async function askPasskey(
  db: Db,
  services: Services,
  owner: FactorOwner,
): Promise<{ readonly options: WebAuthnMessage; readonly challenge: string } | undefined> {
  const party = relyingParty(services)
  const known = await listPasskeys(db, owner)
  if (party === null || known.length === 0) return undefined
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports as never,
    })),
    userVerification: 'required',
  })
  return { options: { ...options }, challenge: options.challenge }
}

/** Whether a passkey of the account has signed the challenge. */
export async function takePasskey(
  db: Db,
  services: Services,
  owner: FactorOwner,
  challenge: string | null,
  response: WebAuthnMessage,
): Promise<boolean> {
  const party = relyingParty(services)
  if (party === null || challenge === null) return false
  const known = (await listPasskeys(db, owner)).find(
    ({ credential_id }) => credential_id === response['id'],
  )
  if (known === undefined) return false
  const { verifyAuthenticationResponse } = await loadLibrary()
  const checked = await orUndefined(
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: known.credential_id,
        publicKey: Buffer.from(known.public_key, 'base64url'),
        counter: Number(known.counter),
      },
    }),
  )
  if (checked?.verified !== true) return false
  exactlyOne(
    await db
      .updateTable('sys.passkey')
      .set({ counter: String(checked.authenticationInfo.newCounter), used_at: services.now() })
      .where('tenant_id', '=', owner.tenant)
      .where('id', '=', known.id)
      .executeTakeFirst(),
    'passkey',
  )
  return true
}

/** The library throws for whatever is wrong with a message. */
async function orUndefined<T>(checked: Promise<T>): Promise<T | undefined> {
  try {
    return await checked
  } catch {
    return undefined
  }
}
