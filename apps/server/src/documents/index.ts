/**
 * Documents of students as PDF (docs/rules/contract.md#student-service, docs/rules/security.md#files). All calls take the server's Services and may throw a Refusal.
 * None of them may be called inside `transact`: drawing takes its time, and the ledger keeps its own short transactions.
 */
export type { DocumentKind, DocumentLanguage } from './content/content.ts'
export type { DocumentOf, IssuedDocument } from './document.ts'
/** `previewDocument(services, of)`: the watermarked pages, without number, code, seal or signature. */
export { previewDocument } from './preview.ts'
/** `issueDocument(services, { ...of, orderNo })`: issues the final document, or gives the one issued before. Safe to repeat, also after kill -9. */
export { issueDocument } from './issue.ts'
/** `documentOfOrder(services, tenant, orderNo)`, `readDocument(services, document)`: bytes checked against the sha256 they were issued with. */
export { documentOfOrder, findDocument, readDocument } from './read.ts'
/** `revokeDocument(services, { tenant, number, reason, by })`: the verify page says so from then on, and downloads end. */
export { revokeDocument } from './revoke.ts'
