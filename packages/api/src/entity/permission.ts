import { adminRole, allPermission } from '../limits.ts'

/**
 * Actions on an entity (docs/spec/1-entity-console.md §6). Imports need `add`, and `update` when
 * they change rows.
 */
export const entityActions = ['view', 'add', 'update', 'delete', 'export'] as const
export type EntityAction = (typeof entityActions)[number]

export function entityPermission(tag: string, action: EntityAction): string {
  return `entity:${tag}:${action}`
}

/** The right over all schools. It reaches nothing in a school other than the first one. */
export const platformPermission = 'tenant:manage'

/**
 * Whether the permissions `held` include `wanted`; ALL_PERMISSION includes everything
 * (docs/spec/1-entity-console.md §6).
 */
export function may(held: Iterable<string>, wanted: string): boolean {
  for (const code of held) if (code === wanted || code === allPermission) return true
  return false
}
export function mayAll(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((code) => may(held, code))
}
export function mayAny(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((code) => may(held, code))
}

/**
 * Whether a route is visible: administrators see every route, others those that share a role with
 * them; routes without roles are visible to everyone (docs/spec/1-entity-console.md §2).
 */
export function mayRoute(
  roles: readonly string[],
  routeRoles: readonly string[] | undefined,
): boolean {
  return (
    routeRoles === undefined ||
    routeRoles.length === 0 ||
    roles.includes(adminRole) ||
    roles.includes('admin') ||
    routeRoles.some((role) => roles.includes(role))
  )
}
