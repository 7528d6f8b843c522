// Second factors of staff accounts (docs/rules/security.md#s10).
import type { FactorKind } from '@jiaowu/api/contract/factor'
import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import { isListedAddress } from '../../platform/requests/address.ts'

type Db = Services['database']['kysely']

/** The account that factors belong to: a caller is one. */
export interface FactorOwner {
  readonly tenant: string
  readonly userId: string
}

export function toFactorOwner(user: {
  readonly tenant_id: string
  readonly id: string
}): FactorOwner {
  return { tenant: user.tenant_id, userId: user.id }
}

/** An expression: whether the account has a second factor. @param userId its id, of the statement around it */
export function hasFactor(tenant: string, userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from sys.totp f where f.tenant_id = ${tenant}::int8 and f.user_id = ${userId}
      and f.confirmed_at is not null)
    or exists (select 1 from sys.passkey f where f.tenant_id = ${tenant}::int8 and f.user_id = ${userId}))`
}

/** An expression: whether one of these roles demands a second factor. @param roleIds an array of texts */
export function demandsFactor(tenant: string, roleIds: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from sys.role r
    where r.tenant_id = ${tenant}::int8 and r.id::text = any(${roleIds}) and r.status = '1'
      and r.deleted_at is null and r.needs_factor = '1')`
}

/** The kinds that the account can prove itself by; empty without a factor, whose recovery codes are none. */
export async function readFactorKinds(
  db: Db,
  { tenant, userId }: FactorOwner,
): Promise<readonly FactorKind[]> {
  const { rows } = await sql<{ totp: boolean; passkey: boolean; recovery: boolean }>`
    select
      exists (select 1 from sys.totp where tenant_id = ${tenant}::int8 and user_id = ${userId}::int8
        and confirmed_at is not null) as totp,
      exists (select 1 from sys.passkey where tenant_id = ${tenant}::int8 and user_id = ${userId}::int8) as passkey,
      exists (select 1 from sys.recovery_code where tenant_id = ${tenant}::int8 and user_id = ${userId}::int8
        and used_at is null) as recovery`.execute(db)
  const { totp, passkey, recovery } = rows[0] ?? { totp: false, passkey: false, recovery: false }
  if (!totp && !passkey) return []
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkey ? (['passkey'] as const) : []),
    ...(recovery ? (['recovery'] as const) : []),
  ]
}

/** Passkeys and confirmed secrets of an account. */
export async function countFactors(db: Db, { tenant, userId }: FactorOwner): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from sys.totp where tenant_id = ${tenant}::int8 and user_id = ${userId}::int8
        and confirmed_at is not null)::int
      + (select count(*) from sys.passkey where tenant_id = ${tenant}::int8 and user_id = ${userId}::int8)::int
      as n`.execute(db)
  return rows[0]?.n ?? 0
}

/** Whether staff need a second factor because of the address that they call from. */
export function isOutside({ factorOutside }: Services['settings'], ip: string): boolean {
  return factorOutside.length > 0 && !isListedAddress(factorOutside, ip)
}

/**
 * `proven`: the account has a factor, which its sessions were opened with, or a provider of the school has proved the
 * person, which asks for factors itself. `demanded`: it has none, and a role demands one. `free`: it has none.
 */
export type FactorState = 'proven' | 'demanded' | 'free'

/** A provider that a browser is sent to asks for factors itself; a directory knows a password alone. */
const asksItself: ReadonlySet<string> = new Set(['oidc', 'cas'])

export function toFactorState(
  by: string | null,
  has: boolean | null,
  demanded: boolean | null,
): FactorState {
  if (has === true || (by !== null && asksItself.has(by))) return 'proven'
  return demanded === true ? 'demanded' : 'free'
}

/** Whether a factor is demanded that there is not. */
export function isFactorMissing(
  settings: Services['settings'],
  state: FactorState,
  ip: string,
): boolean {
  return state === 'demanded' || (state === 'free' && isOutside(settings, ip))
}

/** Whether an account has a factor, and whether one of its roles demands one. */
export interface FactorFacts {
  readonly has_factor: boolean
  readonly demands_factor: boolean
}

/** Whether only the way to a factor is open to a session of the account. @param by how it was opened; null: unknown */
export function mustEnrolFactor(
  { settings, ip }: { readonly settings: Services['settings']; readonly ip: string },
  { has_factor, demands_factor }: FactorFacts,
  by: string | null,
): boolean {
  return isFactorMissing(settings, toFactorState(by, has_factor, demands_factor), ip)
}
