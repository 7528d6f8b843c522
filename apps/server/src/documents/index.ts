/**
 * Students' documents as PDF (docs/rules/contract.md#student-service,
 * docs/rules/security.md#files). All functions may throw a Refusal. Do not call them inside
 * `transact`: drawing is slow, and issuing uses its own short transactions.
 */

export type { DocumentOf } from './document.ts'
/** `previewDocument(services, of)`: watermarked pages without number, code, seal or signature. */
export { previewDocument } from './preview.ts'
/**
 * `issueDocument(services, { ...of, orderNo })`: issues the final document, or returns the one
 * issued before. May be repeated, also after a crash.
 */
export { issueDocument } from './issue.ts'
/**
 * `sellableContent(services, of)`: the content as it can be sold now; `keepSoldContent(trx, services, order,
 * content)` fixes it for an order, whose document then shows it.
 */
export { keepSoldContent, sellableContent } from './sold-content.ts'
/**
 * `documentOfOrder(services, tenant, orderNo)`, `readDocument(services, document)`: the bytes,
 * checked against the sha256 of the issue.
 */
export { documentOfOrder, readDocument } from './read.ts'
/**
 * `revokeDocument(services, { tenant, number, reason, by })`: the verification page then reports it
 * as revoked, and downloads are refused.
 */
export { revokeDocument } from './revoke.ts'
