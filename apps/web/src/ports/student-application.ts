import { parseJson } from '@jiaowu/api/exact-json'
import type { Values } from '@jiaowu/api/entity/values'
import { wireValue } from '@jiaowu/api/contract/shapes'
import * as v from 'valibot'

const drafts = v.record(v.string(), wireValue)

/** The application that a student types, kept in the tab: a session that ends or a reload loses nothing. */
export function storedApplication(student: string, tag: string) {
  const key = `jiaowu-application:${student}:${tag}`
  return {
    read: (): Values => {
      try {
        const text = sessionStorage.getItem(key)
        const parsed = v.safeParse(drafts, text === null ? {} : parseJson(text))
        return parsed.success ? parsed.output : {}
      } catch {
        return {}
      }
    },
    write: (values: Values): void => {
      try {
        sessionStorage.setItem(key, JSON.stringify(values))
      } catch {
        // A full or blocked storage keeps no draft.
      }
    },
    forget: (): void => sessionStorage.removeItem(key),
  }
}
