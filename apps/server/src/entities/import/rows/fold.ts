/** Normalises text for comparison: NFKC, lower case, single blanks, trimmed. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Edit distance of two words, or more than `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length] ?? most + 1
}

/**
 * Up to a few names similar to a word: first those that contain it or are contained in it, then
 * those that it abbreviates (`信工学院` for `信息工程学院`), then those a typing error away.
 */
export function nearest(wanted: string, names: readonly string[], count = 3): string[] {
  const word = foldText(wanted)
  if (word === '') return []
  const most = Math.max(1, Math.floor(word.length / 3))
  const scored = names.slice(0, 5_000).map((name) => {
    const other = foldText(name)
    const held = other !== '' && (other.includes(word) || word.includes(other))
    const longer = Math.abs(other.length - word.length) / 100
    return {
      name,
      score: held ? longer : abbreviates(word, other) ? 0.5 + longer : distance(word, other, most),
    }
  })
  return scored
    .filter(({ score }) => score <= most)
    .toSorted((a, b) => a.score - b.score)
    .slice(0, count)
    .map(({ name }) => name)
}

/** Whether all letters of the word, at least two, are in the name in this order. */
function abbreviates(word: string, name: string): boolean {
  let at = 0
  for (const letter of name) if (letter === word[at]) at += 1
  return word.length > 1 && at === word.length
}
