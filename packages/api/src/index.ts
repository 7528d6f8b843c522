export * from './client/client.ts'
export type { SolveWork } from './client/captcha-work.ts'
export { type CaptchaWork, captchaWorkHeader } from './contract/student/captcha-work.ts'
export { createFreshProof, type FreshProof } from './client/fresh-proof.ts'
export { compareCodes, compareNames } from './compare-names.ts'
export { cutText } from './cut-text.ts'
export { createRequest } from './client/create-request.ts'
export {
  type CodeStatus,
  type Discrepancy,
  type PrintOrder,
  type Registered,
  type DecidedRegistration,
  type Refund,
  type ReportItem,
  type ReportPrice,
  type SchoolInfo,
  type SmsPurpose,
  type StudentDetail,
  type StudentTokens,
  captchaTicketHeader,
  codeStatuses,
  discrepancyKinds,
  mobilePattern,
  refundStates,
  reportLanguages,
  reportTypes,
  smsPurposes,
  studentClient,
} from './contract/index.ts'
export {
  type EntryAddition,
  type EntryState,
  tenantCodePattern,
  type OwnSession,
  type SsoFaultName,
  ssoFaults,
  type SsoProviderInfo,
  type ProviderCheck,
  type TenantInfo,
} from './contract/index.ts'
export {
  type PersonalMessage,
  type RecycledPage,
  type RecycledRow,
  type TreeNode,
  type SavedEntity,
  type ScopeCheck,
  type AttachmentInfo,
  contract,
  type ExportFormat,
  exportFormats,
  type LookupAnswer,
  type MenuNode,
  type Tokens,
  type UserInfo,
} from './contract/index.ts'
export { whereSchema } from './contract/index.ts'
export { type DocumentFacts, documentStatuses, type DocumentVerdict } from './contract/index.ts'
export {
  type BulkAction,
  bulkActions,
  type BulkJob,
  type BulkPhase,
  type BulkSelection,
} from './contract/index.ts'
export {
  documentCodeAlphabet,
  documentCodeLength,
  printedDocumentCode,
  readDocumentCode,
} from './document-code.ts'
export * from './endpoint.ts'
export {
  type EmptyMeaning,
  emptyMeanings,
  type ImportField,
  type ImportFormat,
  importFormats,
  type ImportMapping,
  type ImportReading,
  type TextEncoding,
  textEncodings,
  type ImportMode,
  importModes,
  isJobOver,
  type Job,
  type JobError,
  type JobPhase,
  jobPhases,
  type JobStatus,
  jobStatuses,
  type MappedColumn,
  type OnError,
  onErrorChoices,
  type RememberedImport,
  type ReviewCounts,
  type ReviewRow,
  type RowVerdict,
  rowVerdicts,
  type SheetChoice,
  type SheetColumnInfo,
  type SheetInfo,
} from './contract/job.ts'
export * from './entity/index.ts'
export { plainBlanks } from './fields/date-words.ts'
export {
  possibleDays,
  type RangeEnd,
  readDate,
  readDatetime,
  readRangeEnd,
  readTime,
  readYear,
  momentSerial,
  serialMoment,
} from './fields/dates.ts'
export { attrNameOfColumn, isObjectName, uiTypeOfColumn } from './fields/derive.ts'
export {
  type FieldKind,
  fieldKinds,
  holdsValue,
  isEmpty,
  isFilterable,
  kindOf,
  minColumnWidth,
  parseDecimal,
  plainDecimal,
} from './fields/kinds.ts'
export { isFen, isMoney, valueText, yuanText } from './fields/money.ts'
export { type FoundEncoding, guessEncoding, unicodeText, utf16Of } from './text-encoding.ts'
export { queryFields, sortFields, timeFields } from './entity/list/time-fields.ts'
export { momentsOf, schoolTimeZone, zonedTime } from './zoned-time.ts'
export { starsText } from './fields/stars.ts'
export {
  isSkippedTime,
  relativeTime,
  schoolDay,
  schoolInstant,
  schoolTime,
  shortNumber,
} from './formats.ts'
export { isSameNumber, jsonText, parseJson } from './exact-json.ts'
export { escapeHtml } from './escape-html.ts'
export * from './limits.ts'
export { newKey } from './client/new-key.ts'
export {
  idNumberLengths,
  looksMasked,
  maskPii,
  maskValue,
  piiEndsKept,
  proposedPii,
  scrubPersonal,
} from './pii.ts'
export { defaultLocale, type Locale, localeOf, locales } from './locale.ts'
export * from './problem.ts'
export { decodeRowId, encodeRowId, joinRowIds, splitRowIds } from './row-id.ts'
export {
  addTexts,
  type Message,
  messageText,
  t,
  type TextKey,
  type TextParams,
  texts,
} from './texts/index.ts'
