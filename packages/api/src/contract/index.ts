import type { Contract } from '../endpoint.ts'
import { attachment } from './attachment.ts'
import { design } from './design.ts'
import { dictionary } from './dictionary.ts'
import { entityData } from './entity-data.ts'
import { job } from './job.ts'
import { print } from './print.ts'
import { session } from './session.ts'
import { student } from './student.ts'
import { verify } from './verify.ts'

export type { AttachmentInfo } from './attachment.ts'
export type { SavedEntity } from './design.ts'
export { type ExportFormat, exportFormats, type LookupAnswer } from './entity-data.ts'
export { type Discrepancy, discrepancyKinds, type Refund, refundStates } from './print.ts'
export type { MenuNode, Tokens, UserInfo } from './session.ts'
export { captchaTicketHeader, type CodeStatus, codeStatuses, mobilePattern, type PrintOrder, type ReportItem, reportLanguages, type ReportPrice, reportTypes, type SchoolInfo, type SmsPurpose, smsPurposes, studentClient, type StudentDetail, type StudentTokens } from './student.ts'
export { type DocumentFacts, documentStatuses, type DocumentVerdict } from './verify.ts'

/** Every call of the product. Client, server handlers and `/api/openapi.json` come from this one object. Paths stand below `/api`. */
export const contract = { session, entityData, dictionary, attachment, design, student, print, job, verify } as const satisfies Contract
