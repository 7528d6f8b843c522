import type { EntityDefinition } from '@jiaowu/api'
import { people } from './people.ts'
import { records } from './records.ts'
import { settings } from './settings.ts'
import { teaching } from './teaching.ts'

/** The definitions the product ships (docs/rules/contract.md#demo-data). A tenant's own definition of the same tag stands in their place. */
export const builtIn: readonly EntityDefinition[] = [
  ...teaching,
  ...people,
  ...settings,
  ...records,
]
