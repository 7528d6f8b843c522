// Names with the key beside them, as exports write them where a name is masked or not the only one:
// `张伟（20240001）`. An import takes them back.

export function codedName(name: string, code: string): string {
  return `${name}（${code}）`
}

/** How a name with its key can be read: both may hold parentheses of their own. */
export function splitCoded(text: string): { readonly name: string; readonly code: string }[] {
  const trimmed = text.trim()
  if (!/[）)]$/.test(trimmed)) return []
  return [...trimmed.matchAll(/[（(]/g)].flatMap(({ index }) => {
    const [name, code] = [trimmed.slice(0, index).trim(), trimmed.slice(index + 1, -1).trim()]
    return code === '' ? [] : [{ name, code }]
  })
}

export function codesIn(text: string): string[] {
  return splitCoded(text).map(({ code }) => code)
}
