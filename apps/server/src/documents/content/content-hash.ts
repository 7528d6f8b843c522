import { createHash } from 'node:crypto'
import type { DocumentContent } from '../../platform/database/tables/document-content.ts'

/**
 * A hash that is equal exactly for equal contents. Keys are sorted, because jsonb does not keep
 * their order.
 */
export function hashOfContent(content: DocumentContent): string {
  return createHash('sha256')
    .update(
      JSON.stringify(content, (_key, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? sortKeys(value)
          : value,
      ),
    )
    .digest('hex')
}

function sortKeys(value: object) {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
