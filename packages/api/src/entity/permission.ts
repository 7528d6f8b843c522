import { adminRole, allPermission } from '../limits.ts'

/** What may be done with an entity (docs/spec/1-entity-console.md §6). Import needs `add`, and `update` when it changes rows. */
export const entityActions = ['view', 'add', 'update', 'delete', 'export'] as const
export type EntityAction = (typeof entityActions)[number]

export function entityPermission(tag: string, action: EntityAction): string {
  return `entity:${tag}:${action}`
}

/** Whether the holder of `held` may do what `wanted` names; ALL_PERMISSION bypasses the check (docs/spec/1-entity-console.md §6). */
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

/** Route visibility: the admin sees all asynchronous routes, others those whose roles meet theirs; a route without roles is everyone's (docs/spec/1-entity-console.md §2). */
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
