// A check of an outdated hash takes longer than any other. While a school has some, its other failed sign-ins take as
// long, so that the time does not tell which accounts exist (docs/rules/security.md#p3).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../model/context.ts'
import type { MemoryKind } from '../platform/memory.ts'
import { isId } from '../platform/id.ts'
import { measureOutdated, outdatedPattern } from './password.ts'

/** By school: whether it has outdated hashes. */
const schools: MemoryKind<boolean> = { name: 'outdated hashes', limit: 2_000, age: 600_000 }

/** @param took milliseconds that the check has taken */
export async function waitAsLongAsOutdated(
  context: Pick<Context, 'database' | 'memory'>,
  tenant: string,
  took: number,
): Promise<void> {
  if (!(await hasOutdated(context, tenant))) return
  await sleep(Math.max(0, (await measureOutdated()) - took))
}

async function hasOutdated(
  { database, memory }: Pick<Context, 'database' | 'memory'>,
  tenant: string,
): Promise<boolean> {
  if (outdatedPattern === null || !isId(tenant)) return false
  const store = memory.of(schools)
  const known = store.get(tenant)
  if (known !== undefined) return known
  const found = await database.kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('password_hash', 'like', outdatedPattern)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  store.set(tenant, found !== undefined)
  return found !== undefined
}
