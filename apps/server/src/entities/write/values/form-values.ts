// Values of a row as an HTML form sends them: texts under the names of JSON bodies
// (docs/spec/1-entity-console.md §7).
import { parseJson } from '@jiaowu/api/exact-json'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import type { Body } from './values.ts'

/**
 * Choices are comma-joined ids, or the JSON of a JSON body; other texts are read by their kinds, which
 * accept them as they are.
 */
export function valuesOfForm(entity: LoadedEntity, form: Body): Body {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => {
      const kind = entity.field(name)?.kind
      return typeof value !== 'string' || (kind?.family !== 'choice' && kind?.family !== 'media')
        ? [name, value]
        : [name, choicesIn(value, kind.multiple)]
    }),
  )
}

function choicesIn(text: string, multiple: boolean): unknown {
  if (text.trim() === '') return []
  if (/^\s*[[{]/.test(text)) {
    try {
      return parseJson(text)
    } catch {
      return text
    }
  }
  return multiple ? text.split(',').map((id) => id.trim()) : text
}
