/** An address a browser may open: nothing but the web (docs/rules/security.md#i6). */
export const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address)
