import { Refusal } from '../../platform/refusal.ts'
import type { DocumentContent } from '../../platform/database/tables/document-content.ts'

/** Codes of the dictionary `studentStatus` of current students: enrolled, or on leave. */
const enrolledStatus: readonly string[] = ['1', '2']

/**
 * Checked before the preview too, so that no student pays for a document that is then refused.
 * @throws Refusal 422 when the document would state something untrue
 */
export function assertMayBeIssued({ kind, student, terms }: DocumentContent): void {
  if (kind === 'enrolled' && !enrolledStatus.includes(student.status))
    throw new Refusal(422, { key: 'document.notEnrolled' })
  if (kind !== 'enrolled' && terms.length === 0)
    throw new Refusal(422, { key: 'document.noGrades' })
}
