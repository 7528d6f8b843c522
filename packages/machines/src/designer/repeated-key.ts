/**
 * The first key that occurs twice in one object of a JSON text; parsing would silently keep the
 * last (docs/spec/2-student-service-and-designer.md §5: 'field already exists').
 */
export function repeatedKey(json: string): string | null {
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const [names, name] = [open.at(-1), parseJson(last) as string]
      if (names?.has(name) === true) return name
      names?.add(name)
    }
    last = token
  }
  return null
}

import { parseJson } from '@jiaowu/api/exact-json'
