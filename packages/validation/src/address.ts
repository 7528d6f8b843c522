/**
 * Whether an address may be stored and opened (docs/rules/security.md#i6): http, https, or a path of
 * this site. Browsers drop tabs and line breaks from addresses and read `\` as `/`.
 */
export function isSafeAddress(address: string): boolean {
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(address) || address.length > 2000) return false
  if (/^\/(?!\/)/.test(address) || address.startsWith('#/')) return true
  return /^https?:\/\/[^/{]/i.test(address) && URL.canParse(address)
}
