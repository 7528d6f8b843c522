/**
 * Whether the address is http or https; the pages link to no other scheme
 * (docs/rules/security.md#i6).
 */
export const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address)
