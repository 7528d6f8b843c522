// Keeps spreadsheets from running user text as a formula (docs/rules/security.md#files, CWE-1236).

const starts = /^'*[=+\-@\t\r\0]/
const guarded = /^'+[=+\-@\t\r\0]/

/** Prefixes text that a spreadsheet could take for a formula with `'`. */
export const guardText = (text: string): string => (starts.test(text) ? `'${text}` : text)
/** The inverse: `unguardText(guardText(x)) === x` for every x. */
export const unguardText = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
