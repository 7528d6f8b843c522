import type { Pair } from '@jiaowu/api/texts/group'

/** Rows that a question or a message names. */
export const namedRows = 5

/**
 * The names of the first rows in both languages, and how many there are besides.
 * @param count rows in all; more than `names` where only the first are known
 * @example listNames(['韩梦', '姚霞']) // ['韩梦、姚霞', '韩梦, 姚霞']
 */
export function listNames(names: readonly string[], count = names.length): Pair {
  const shown = names.slice(0, namedRows)
  const rest = count - shown.length
  return [
    `${shown.join('、')}${rest > 0 ? ` 等 ${count} 条` : ''}`,
    `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
  ]
}
