import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'

/**
 * Why a chain is broken: a line was changed, lines are missing before one, the end does not match
 * the last link, an archive's anchor has no valid signature, a line has no key where lines have one or is under
 * one that the server does not have, or the mark of where the key began was changed.
 */
const auditFaults = ['changed', 'missing', 'end', 'anchor', 'unkeyed', 'key', 'mark'] as const

const report = v.object({
  /** How many lines were checked. */
  lines: v.number(),
  /** False when the time of the request was up first; the command of the server has no limit. */
  complete: v.boolean(),
  /** The first line that does not fit. */
  broken: v.nullable(
    v.object({
      why: v.picklist(auditFaults),
      number: v.string(),
      id: v.nullable(v.string()),
      at: v.nullable(v.string()),
    }),
  ),
})

/** The chain of audit lines of the caller's tenant (docs/rules/security.md#l1). */
export const audit = {
  verify: endpoint({
    method: 'POST',
    keyed: false,
    path: '/audit/verify',
    access: 'audit:view',
    answer: report,
  }),
} as const
