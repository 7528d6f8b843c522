// Finds `:name` parameters outside of string literals, quoted names, comments and casts.

/**
 * Literals, quoted names, dollar quotes, comments, `::` casts; group 2 is the name of a parameter.
 */
const tokenPattern =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w{0,62})/g

/** Replaces the parameters by `$1`, `$2` … and returns their names in that order. */
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
