// A sheet must never run what a person typed (docs/rules/security.md#files, CWE-1236).

const starts = /^'*[=+\-@\t\r\0]/
const guarded = /^'+[=+\-@\t\r\0]/

/** Text for a sheet cell: what a spreadsheet could take for a formula gets one `'` in front. */
export const guardText = (text: string): string => (starts.test(text) ? `'${text}` : text)
/** The text again: `unguardText(guardText(x)) === x` for every x. */
export const unguardText = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
