/** `138****1234` (docs/rules/security.md#d1). */
export function maskMobile(mobile: string): string {
  return mobile.length < 7 ? '****' : `${mobile.slice(0, 3)}****${mobile.slice(-4)}`
}
/** `110***********1234` for 18 digits (docs/rules/security.md#d1); shorter numbers keep two at each end. */
export function maskIdNumber(id: string): string {
  return id.length >= 15
    ? `${id.slice(0, 3)}${'*'.repeat(id.length - 7)}${id.slice(-4)}`
    : id.length > 4
      ? `${id.slice(0, 2)}${'*'.repeat(id.length - 4)}${id.slice(-2)}`
      : '****'
}
