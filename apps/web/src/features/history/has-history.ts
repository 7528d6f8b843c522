import type { EntityConfig } from '@jiaowu/api/entity/config'

/** Whether users can add or edit records of the entity. */
export function hasHistory(config: EntityConfig): boolean {
  return config.fields.some(({ isEdit, isAdd }) => isEdit === 1 || isAdd === 1)
}
