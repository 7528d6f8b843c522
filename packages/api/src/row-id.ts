// Ids of rows whose key has several columns (docs/rules/contract.md#row-ids).

/** A single value is the id; several are percent-encoded and joined by `~`: `11077~4`. */
export function encodeRowId(values: readonly string[]): string {
  const [only, ...more] = values
  return more.length === 0 ? (only ?? '') : values.map(encodePart).join('~')
}

/** Everything outside ASCII letters, digits, `-`, `_` and `.` becomes the hex of its UTF-8 bytes. */
function encodePart(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*~]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The values of an id, in key order; null when it has another number of them. */
export function decodeRowId(id: string, columns: number): readonly string[] | null {
  if (columns <= 1) return [id]
  const parts = id.split('~')
  return parts.length === columns ? parts.map(decodedPart) : null
}

/** A part that is not encoded stands for itself. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Row ids as one path segment: percent-encoded, separated by commas. */
export function joinRowIds(ids: readonly string[]): string {
  return ids.map((id) => encodeURIComponent(id)).join(',')
}

/**
 * The ids of a path segment or a query parameter as it was sent. Ids of several columns are encoded
 * already, so that a caller may send them as they are: then no `%` is encoded twice.
 */
export function splitRowIds(raw: string, columns = 1): readonly string[] {
  const idOf = (part: string) => (columns > 1 && !part.includes('%25') ? part : decodedPart(part))
  return [
    ...new Set(
      raw
        .split(',')
        .map((part) => idOf(part).trim())
        .filter((id) => id !== ''),
    ),
  ]
}
