import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'

// docs/spec/2-student-service-and-designer.md §2: a form in a tab returns to the stored previous
// path. Session storage survives a reload.
const key = 'JIAOWU_OPENERS'
const schema = v.record(v.string(), v.string())
const kept = 50

/** Remembers the view from which another was opened. */
export function rememberOpener(path: string, from: string): void {
  const { [path]: _before, ...others } = readOpeners()
  sessionStorage.setItem(
    key,
    JSON.stringify(Object.fromEntries([...Object.entries(others).slice(-kept), [path, from]])),
  )
}

function readOpeners(): Readonly<Record<string, string>> {
  try {
    const parsed = v.safeParse(schema, parseJson(sessionStorage.getItem(key) ?? '{}'))
    return parsed.success ? parsed.output : {}
  } catch {
    return {} // not JSON: damaged, or written by another program
  }
}

/** The view from which `path` was opened. */
export function findOpener(path: string): string | null {
  return readOpeners()[path] ?? null
}
