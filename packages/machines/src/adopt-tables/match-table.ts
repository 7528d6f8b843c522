/**
 * Whether `schema.table` matches: with `*` the whole name of the table (or `schema.table`, where the pattern has a
 * point), without it any part.
 */
export function matchesTableName(table: string, pattern: string): boolean {
  const wanted = pattern.trim().toLowerCase()
  const name = table.toLowerCase()
  if (!wanted.includes('*')) return name.includes(wanted)
  const own = wanted.includes('.') ? name : name.slice(name.indexOf('.') + 1)
  const parts = wanted.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'u').test(own)
}
