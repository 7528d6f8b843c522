import type { Contract } from '../endpoint.ts'
import { account } from './account.ts'
import { attachment } from './attachment.ts'
import { audit } from './audit.ts'
import { bulk } from './bulk.ts'
import { button } from './button.ts'
import { design } from './design.ts'
import { dictionary } from './dictionary.ts'
import { dictionaryItem } from './dictionary-item.ts'
import { entry } from './entry.ts'
import { entityData } from './entity-data.ts'
import { history } from './history.ts'
import { job } from './job.ts'
import { messages } from './message.ts'
import { print } from './print.ts'
import { role } from './role.ts'
import { session } from './session.ts'
import { student } from './student.ts'
import { tenants } from './tenant.ts'
import { tree } from './tree.ts'
import { verify } from './verify.ts'
import { view } from './view.ts'

export type { AttachmentInfo } from './attachment.ts'
export {
  type BulkAction,
  bulkActions,
  type BulkJob,
  type BulkPhase,
  type BulkSelection,
} from './bulk.ts'
export type { SavedEntity } from './design.ts'
export type { RecycledPage, RecycledRow } from './history.ts'
export type { PersonalMessage } from './message.ts'
export { type TenantInfo, tenantCodePattern } from './tenant.ts'
export type { TreeNode } from './tree.ts'
export type { ScopeCheck } from './role.ts'
export { type ExportFormat, exportFormats, type LookupAnswer } from './entity-data.ts'
export { type Discrepancy, discrepancyKinds, type Refund, refundStates } from './print.ts'
export type { MenuNode, Tokens, UserInfo } from './session.ts'
export {
  captchaTicketHeader,
  type CodeStatus,
  codeStatuses,
  mobilePattern,
  type PrintOrder,
  type ReportItem,
  reportLanguages,
  type ReportPrice,
  reportTypes,
  type SchoolInfo,
  type SmsPurpose,
  smsPurposes,
  studentClient,
  type StudentDetail,
  type StudentTokens,
} from './student.ts'
export type { EntryAddition, EntryState } from './entry.ts'
export { type DocumentFacts, documentStatuses, type DocumentVerdict } from './verify.ts'

export { where as whereSchema } from './shapes.ts'

/**
 * Every call of the product. The client, the server's handlers and `/api/openapi.json` are derived
 * from this object. Paths are relative to `/api`.
 */
export const contract = {
  session,
  entityData,
  entry,
  account,
  history,
  role,
  dictionary,
  dictionaryItem,
  attachment,
  audit,
  design,
  student,
  print,
  job,
  bulk,
  button,
  verify,
  tree,
  messages,
  tenants,
  view,
} as const satisfies Contract
