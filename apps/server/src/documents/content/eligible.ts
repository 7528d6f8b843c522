import { Refusal } from '../../platform/refusal.ts'
import type { DocumentContent } from './content.ts'

/** Codes of the dictionary `studentStatus` with which a person is a student: enrolled, or on leave. */
const enrolledStatus: readonly string[] = ['1', '2']

/** A school does not certify what is not so. Asked before the preview too, so that nobody pays for what is then refused. @throws Refusal 422 */
export function assertMayBeIssued({ kind, student, terms }: DocumentContent): void {
  if (kind === 'enrolled' && !enrolledStatus.includes(student.status))
    throw new Refusal(422, { key: 'document.notEnrolled' })
  if (kind !== 'enrolled' && terms.length === 0)
    throw new Refusal(422, { key: 'document.noGrades' })
}
