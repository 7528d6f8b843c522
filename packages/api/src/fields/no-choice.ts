import { cutText } from '../cut-text.ts'
import type { DictItem } from '../entity/values.ts'
import type { Message } from '../texts/index.ts'

/** Choices named in a refusal. */
export const namedChoices = 20

/**
 * Builds the refusal of a word that is no choice of its field: names the first choices, and the one that was
 * probably meant.
 * @param items all choices, or the first of them, at least one more than are named; those without a name are
 *   not told
 */
export function buildNoChoice(label: string, word: string, items: readonly DictItem[]): Message {
  const named = items.filter(({ name }) => name !== '')
  const value = cutText(word, 60)
  if (named.length === 0) return { key: 'entity.noChoice', params: { label, value } }
  const shown = named
    .slice(0, namedChoices)
    .map(({ id, name }) => (id === name ? name : `${name}(${id})`))
  const choices = [...shown, ...(named.length > namedChoices ? ['…'] : [])].join(' ')
  const meant = findNearest(word, named)
  return meant === null
    ? { key: 'entity.noChoiceOf', params: { label, value, choices } }
    : { key: 'entity.noChoiceBut', params: { label, value, choices, meant: meant.name } }
}

/** The item whose name shares most of the word's characters, and at least half of them. */
export function findNearest(word: string, items: readonly DictItem[]): DictItem | null {
  const letters = new Set(word.toLowerCase())
  const share = ({ name }: DictItem) => {
    const own = new Set(name.toLowerCase())
    const both = [...own].filter((letter) => letters.has(letter)).length
    return both / Math.max(own.size, letters.size)
  }
  const [best] = items.toSorted((a, b) => share(b) - share(a))
  return best !== undefined && share(best) >= 0.5 ? best : null
}
