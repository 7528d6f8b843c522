import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { text } from './shapes.ts'

export const documentStatuses = ['valid', 'revoked', 'unknown'] as const
const facts = v.object({
  /** `T-2026-000123`. */
  number: v.string(),
  school: v.object({ name: v.string(), nameEn: v.string() }),
  kind: v.picklist(['transcript', 'enrolled', 'conversion', 'other']),
  language: v.picklist(['zh', 'en']),
  /** Only the ends: 张*涵, Z**** Y****. */
  holder: v.string(),
  studentNo: v.string(),
  /** ISO. */
  issuedAt: v.string(),
  revokedAt: v.nullable(v.string()),
  /** Of the file as it was issued, in hexadecimal; bytes. */
  sha256: v.string(),
  size: v.number(),
})
const verdict = v.object({ status: v.picklist(documentStatuses), document: v.nullable(facts) })
/** What the public page says about a code. */
export type DocumentVerdict = v.InferOutput<typeof verdict>
export type DocumentFacts = v.InferOutput<typeof facts>

/** Documents by their verification code (docs/rules/contract.md#student-service, docs/rules/security.md#files). */
export const verify = {
  /** Public: whoever holds the paper may ask. 20 a minute for an address; a code nobody issued is `unknown`, not an error. */
  check: endpoint({
    method: 'GET',
    path: '/verify/{code}',
    access: 'public',
    query: v.strictObject({ ts: v.optional(text) }),
    answer: verdict,
  }),
  /** Ends a document for good. @throws 404 not of this school, 409 revoked already */
  revoke: endpoint({
    method: 'POST',
    path: '/verify/revoke',
    access: 'print:revoke',
    body: v.strictObject({
      number: v.pipe(v.string(), v.maxLength(40)),
      reason: v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(200)),
    }),
    answer: v.object({ number: v.string(), revokedAt: v.string() }),
  }),
} as const
