/** FNV-1a of a text, 8 hexadecimal digits: for names; works in browsers, which lack `node:crypto`. */
export function hash(text: string, start = 0x811c9dc5): string {
  let state = start
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return (state >>> 0).toString(16).padStart(8, '0')
}
