import type {
  DocumentContent,
  DocumentKind,
} from '../../platform/database/tables/document-content.ts'

/** A label with its value. */
export interface SheetFact {
  readonly label: string
  readonly value: string
}
/** A decision of a case, or a step that waits. */
export interface SheetStep {
  /** The step and its office. */
  readonly place: string
  /** The decider, and in whose name; the people that are waited for. */
  readonly who: string
  readonly decision: string
  readonly note: string
  /** In the school's time zone. */
  readonly at: string
}
/** The course of a case with its record, as its reader sees both. */
interface CaseSheet {
  readonly facts: readonly SheetFact[]
  readonly fields: readonly SheetFact[]
  readonly steps: readonly SheetStep[]
  /** The person who prints it. */
  readonly by: string
}

/** The content of pages: of a document, or of the sheet of a case, which is kept nowhere. */
export interface PrintedContent extends Omit<DocumentContent, 'kind'> {
  readonly kind: DocumentKind | 'sheet'
  readonly caseSheet?: CaseSheet
}
