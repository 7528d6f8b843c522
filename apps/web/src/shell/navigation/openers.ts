import * as v from 'valibot'

// docs/spec/2-student-service-and-designer.md §2: a form in a tab returns to the stored previous path. Kept for the tab of the browser, so that a reload forgets nothing.
const key = 'JIAOWU_OPENERS'
const schema = v.record(v.string(), v.string())
const kept = 50

/** A view was opened from another. */
export function rememberOpener(path: string, from: string): void {
  const { [path]: _before, ...others } = read()
  sessionStorage.setItem(
    key,
    JSON.stringify(Object.fromEntries([...Object.entries(others).slice(-kept), [path, from]])),
  )
}

function read(): Readonly<Record<string, string>> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(sessionStorage.getItem(key) ?? '{}'))
    return parsed.success ? parsed.output : {}
  } catch {
    return {} // not JSON: somebody else's, or damaged
  }
}

/** Where a view was opened from. */
export const openerOf = (path: string): string | null => read()[path] ?? null
