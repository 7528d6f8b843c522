import type { Context } from '../model/context.ts'

const providerProofs: ReadonlySet<string> = new Set(['oidc', 'cas', 'ldap'])

/**
 * Whether an identity provider has proved who the person of a session is (`proof_by`): then neither a password
 * nor a mobile of ours is needed (docs/rules/security.md#s8).
 */
export function isProviderProof(by: string | null): boolean {
  return by !== null && providerProofs.has(by)
}

/** Whether the person of the caller's session must change a password that they sign in with. */
export async function mustChangePassword(
  context: Pick<Context, 'database' | 'subject'>,
  isForced: boolean,
): Promise<boolean> {
  return isForced && !isProviderProof(await readProofBy(context))
}

/** How the person of the caller's session proved who they are. */
export async function readProofBy({
  database: { kysely },
  subject,
}: Pick<Context, 'database' | 'subject'>): Promise<string | null> {
  const { proof_by } = await kysely
    .selectFrom('sys.session')
    .select('proof_by')
    .where('tenant_id', '=', subject.tenant)
    .where('id', '=', subject.sessionId)
    .executeTakeFirstOrThrow()
  return proof_by
}
