/** An address a browser may open: nothing but the web (security I6). */
export const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address)
