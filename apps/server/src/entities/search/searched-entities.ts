// The entities that a search over all records reads: those of the caller's menu
// (docs/rules/contract.md#search).
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import { menuFor } from '../../access/menu.ts'
import type { Context } from '../../model/context.ts'
import { Refusal } from '../../platform/refusal.ts'

/** In the order of the menu, with the caller's rights. */
export async function loadSearchedAccesses(context: Context): Promise<EntityAccess[]> {
  const accesses: EntityAccess[] = []
  for (const tag of new Set(listTags(await menuFor(context)))) {
    const access = await viewAccess(context, tag)
    if (access !== null) accesses.push(access)
  }
  return accesses
}

/** Null where the caller may not view the entity, or there is none. */
export async function viewAccess(context: Context, tag: string): Promise<EntityAccess | null> {
  const { registry, subject } = context
  if (!may(subject.permissions, entityPermission(tag, 'view'))) return null
  const entity = await registry.find(subject.tenant, tag)
  if (entity === undefined) return null
  try {
    return await accessTo(context, entity, 'view')
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function listTags(menu: readonly MenuNode[]): string[] {
  return menu.flatMap(({ tag, children }) => [
    ...(tag === null ? [] : [tag]),
    ...listTags(children),
  ])
}
