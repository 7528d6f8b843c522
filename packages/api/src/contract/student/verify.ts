import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { text } from '../shapes.ts'

const documentStatuses = ['valid', 'revoked', 'unknown'] as const
const facts = v.object({
  /** `T-2026-000123`. */
  number: v.string(),
  school: v.object({ name: v.string(), nameEn: v.string() }),
  kind: v.picklist(['transcript', 'enrolled', 'conversion', 'other', 'notice']),
  /** The title of a notice, which its flow gives it. */
  title: v.exactOptional(v.string()),
  language: v.picklist(['zh', 'en']),
  /** Masked name: 张*涵, Z**** Y****. */
  holder: v.string(),
  studentNo: v.string(),
  /** ISO 8601. */
  issuedAt: v.string(),
  revokedAt: v.nullable(v.string()),
  /** SHA-256 of the issued file in hexadecimal; its size in bytes. */
  sha256: v.string(),
  size: v.number(),
})
const verdict = v.object({ status: v.picklist(documentStatuses), document: v.nullable(facts) })
/** Result of looking up a verification code. */
export type DocumentVerdict = v.InferOutput<typeof verdict>
export type DocumentFacts = v.InferOutput<typeof facts>

/**
 * Documents by their verification code (docs/rules/contract.md#student-service,
 * docs/rules/security.md#files).
 */
export const verify = {
  /**
   * Public, 20 calls a minute per address. A code that was never issued answers `unknown`, not an
   * error.
   */
  check: endpoint({
    method: 'GET',
    path: '/verify/{code}',
    access: 'public',
    query: v.strictObject({ ts: v.optional(text) }),
    answer: verdict,
  }),
  /**
   * Revokes a document; this cannot be undone.
   * @throws 404 for another tenant's document, 409 when it is revoked already
   */
  revoke: endpoint({
    method: 'POST',
    keyed: false,
    path: '/verify/revoke',
    access: 'print:revoke',
    body: v.strictObject({
      number: v.pipe(v.string(), v.maxLength(40)),
      reason: v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(200)),
    }),
    answer: v.object({ number: v.string(), revokedAt: v.string() }),
  }),
} as const
