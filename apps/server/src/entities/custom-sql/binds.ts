// `:name` parameters, found outside of texts, quoted names, comments and casts.

/** Texts, quoted names, dollar quotes, comments, `::` casts, and the parameters looked for. */
const tokenPattern =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w{0,62})/g

/** The text with `$1`, `$2` … in the place of its parameters, and their names in that order. */
export function numberParameters(text: string): {
  readonly text: string
  readonly names: readonly string[]
} {
  const names: string[] = []
  const replaced = text.replace(
    tokenPattern,
    (piece, _tag: string | undefined, name: string | undefined) => {
      if (name === undefined) return piece
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    },
  )
  return { text: replaced, names }
}
