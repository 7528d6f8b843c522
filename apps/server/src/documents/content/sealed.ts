import type { Keys } from '../../platform/keys/keys.ts'
import { idNumbers } from '../../model/sealed/sealed-columns.ts'
import type { DocumentContent } from '../../platform/database/tables/document-content.ts'

/** The content of a document as its row keeps it: the ID number encrypted as in the register. */
export function sealedContent(keys: Keys, content: DocumentContent): DocumentContent {
  return withIdNumber(content, idNumbers(keys).seal)
}

export function openedContent(keys: Keys, content: DocumentContent): DocumentContent {
  return withIdNumber(content, idNumbers(keys).open)
}

function withIdNumber(
  content: DocumentContent,
  changed: (idNumber: string) => string,
): DocumentContent {
  const { idNumber } = content.student
  return idNumber === null
    ? content
    : { ...content, student: { ...content.student, idNumber: changed(idNumber) } }
}
