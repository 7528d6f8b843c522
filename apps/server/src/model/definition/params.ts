import type { Context } from '../context.ts'

const baseTenant = '0'

/** A system constant by code: the tenant's own, else the shared one, else null. */
export async function readParam(
  { database, subject }: Pick<Context, 'database' | 'subject'>,
  code: string,
): Promise<string | null> {
  const rows = await database.kysely
    .selectFrom('sys.param')
    .select(['tenant_id', 'value'])
    .where('code', '=', code)
    .where('tenant_id', 'in', [baseTenant, subject.tenant])
    .where('deleted_at', 'is', null)
    .execute()
  return (rows.find(({ tenant_id }) => tenant_id !== baseTenant) ?? rows[0])?.value ?? null
}
