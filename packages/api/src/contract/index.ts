import type { Contract } from '../endpoint.ts'
import { account } from './administration/account.ts'
import { attachment } from './attachment.ts'
import { audit } from './administration/audit.ts'
import { bulk } from './entity/bulk.ts'
import { button } from './entity/button.ts'
import { design } from './design.ts'
import { device } from './device.ts'
import { dictionary } from './administration/dictionary.ts'
import { dictionaryItem } from './administration/dictionary-item.ts'
import { entry } from './entity/entry.ts'
import { entityData } from './entity/entity-data.ts'
import { history } from './entity/history.ts'
import { job } from './job.ts'
import { messages } from './message.ts'
import { ownSessions } from './own-session.ts'
import { print } from './student/print.ts'
import { provider } from './provider.ts'
import { reauthentication } from './reauthentication.ts'
import { registration } from './student/registration.ts'
import { role } from './administration/role.ts'
import { session } from './session.ts'
import { sso } from './sso.ts'
import { student } from './student/student.ts'
import { tenants } from './administration/tenant.ts'
import { tree } from './entity/tree.ts'
import { verify } from './student/verify.ts'
import { view } from './entity/view.ts'

export type { AttachmentInfo } from './attachment.ts'
export {
  type BulkAction,
  bulkActions,
  type BulkJob,
  type BulkPhase,
  type BulkSelection,
} from './entity/bulk.ts'
export type { SavedEntity } from './design.ts'
export type { RecycledPage, RecycledRow } from './entity/history.ts'
export type { PersonalMessage } from './message.ts'
export { type TenantInfo, tenantCodePattern } from './administration/tenant.ts'
export type { TreeNode } from './entity/tree.ts'
export type { ScopeCheck } from './administration/role.ts'
export { type ExportFormat, exportFormats, type LookupAnswer } from './entity/entity-data.ts'
export { type Discrepancy, discrepancyKinds, type Refund, refundStates } from './student/print.ts'
export type { OwnSession } from './own-session.ts'
export type { DecidedRegistration } from './student/registration.ts'
export type { ProviderCheck } from './provider.ts'
export type { MenuNode, Tokens, UserInfo } from './session.ts'
export {
  captchaTicketHeader,
  type CodeStatus,
  codeStatuses,
  mobilePattern,
  type PrintOrder,
  type Registered,
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
} from './student/student.ts'
export { type SsoFaultName, ssoFaults, type SsoProviderInfo } from './sso.ts'
export type { EntryAddition, EntryState } from './entity/entry.ts'
export { type DocumentFacts, documentStatuses, type DocumentVerdict } from './student/verify.ts'

export { where as whereSchema } from './shapes.ts'

/**
 * Every call of the product. The client, the server's handlers and `/api/openapi.json` are derived
 * from this object. Paths are relative to `/api`.
 */
export const contract = {
  session,
  ownSessions,
  reauthentication,
  device,
  sso,
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
  registration,
  print,
  job,
  bulk,
  button,
  verify,
  tree,
  messages,
  tenants,
  view,
  provider,
} as const satisfies Contract
