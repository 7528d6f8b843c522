import { stripVTControlCharacters } from 'node:util'

/**
 * Removes escape sequences, control and direction-changing characters from text of a server
 * (docs/rules/security.md#t1).
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

/**
 * JSON that a terminal shows as it is: C1 controls and direction-changing characters are escaped,
 * which parses to the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
