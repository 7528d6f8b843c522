import { editingOf, type EntityConfig, entityPermission, type ImportMode } from '@jiaowu/api'

/**
 * Import modes the user may use: `insert` needs the permission to add, `update` the one to update, `upsert` both
 * (docs/rules/security.md#permissions).
 */
export function importModesOf(
  { tag, fields, refuses = [] }: Pick<EntityConfig, 'tag' | 'fields' | 'refuses'>,
  can: (code: string) => boolean,
): readonly ImportMode[] {
  const adds =
    !refuses.includes('add') &&
    can(entityPermission(tag, 'add')) &&
    fields.some((field) => editingOf(field, 'add') === 'editable')
  const changes =
    !refuses.includes('update') &&
    can(entityPermission(tag, 'update')) &&
    fields.some((field) => editingOf(field, 'edit') === 'editable')
  return [
    ...(adds ? ['insert' as const] : []),
    ...(changes ? ['update' as const] : []),
    ...(adds && changes ? ['upsert' as const] : []),
  ]
}
