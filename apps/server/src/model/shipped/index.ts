import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { decisions } from './decisions.ts'
import { people } from './people.ts'
import { records } from './records.ts'
import { settings } from './settings.ts'
import { teaching } from './teaching.ts'

/**
 * The shipped definitions (docs/rules/contract.md#demo-data). A tenant's own definition replaces
 * one of the same tag.
 */
export const builtIn: readonly EntityDefinition[] = [
  ...teaching,
  ...decisions,
  ...people,
  ...settings,
  ...records,
]
