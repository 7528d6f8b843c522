import type { UserInfo } from '@jiaowu/api/contract/session'
import { parseJson } from '@jiaowu/api/exact-json'
import type { Values } from '@jiaowu/api/entity/values'
import * as v from 'valibot'

const schema = v.record(v.string(), v.unknown())

/** Values that the user keeps on this device for new records of an entity, by attrName. */
export function readPinnedValues(user: UserInfo | null, tag: string): Values {
  try {
    const stored = localStorage.getItem(buildPinsKey(user, tag)) ?? '{}'
    const parsed = v.safeParse(schema, parseJson(stored))
    return parsed.success ? (parsed.output as Values) : {}
  } catch {
    return {}
  }
}

export function keepPinnedValues(user: UserInfo | null, tag: string, pins: Values): void {
  try {
    const key = buildPinsKey(user, tag)
    if (Object.keys(pins).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(pins))
  } catch {
    // The storage of the browser is full or forbidden.
  }
}

function buildPinsKey(user: UserInfo | null, tag: string): string {
  return `JIAOWU_PINS ${user?.tenant ?? ''} ${user?.account ?? ''} ${tag}`
}
