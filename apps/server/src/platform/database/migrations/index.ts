import type { Migration } from './migrate.ts'
import { system } from './0001-0019/0001-system.ts'
import { teaching } from './0001-0019/0002-teaching.ts'
import { jobsMigration } from './0001-0019/0003-jobs.ts'
import { studentMigration } from './0001-0019/0004-student.ts'
import { documentsMigration } from './0001-0019/0005-documents.ts'
import { rowHistoryMigration } from './0001-0019/0007-row-history.ts'
import { viewsMigration } from './0001-0019/0008-views.ts'
import { bulkMigration } from './0001-0019/0009-bulk.ts'
import { selfAdministrationMigration } from './0001-0019/0010-self-administration.ts'
import { listOrderMigration } from './0001-0019/0011-list-order.ts'
import { columnWidthsMigration } from './0001-0019/0012-column-widths.ts'
import { rulesByColumnMigration } from './0001-0019/0013-rules-by-column.ts'
import { personalDataMigration } from './0001-0019/0014-personal-data.ts'
import { auditChainsMigration } from './0001-0019/0015-audit-chains.ts'
import { customSqlCutsMigration } from './0001-0019/0016-custom-sql-cuts.ts'
import { idempotencyKeysMigration } from './0001-0019/0017-idempotency-keys.ts'
import { schoolKeysMigration } from './0001-0019/0018-school-keys.ts'
import { importCellsMigration } from './0001-0019/0019-import-cells.ts'
import { textBigramsMigration } from './0020-0039/0020-text-bigrams.ts'
import { tableVersionsMigration } from './0020-0039/0020-table-versions.ts'
import { dictionaryTonesMigration } from './0020-0039/0023-dictionary-tones.ts'
import { entryLocksMigration } from './0020-0039/0025-entry-locks.ts'
import { slowListsMigration } from './0020-0039/0027-slow-lists.ts'
import { entryMenuMigration } from './0020-0039/0029-entry-menu.ts'
import { nameInitialsMigration } from './0020-0039/0032-name-initials.ts'
import { passedUnknownMigration } from './0020-0039/0033-passed-unknown.ts'
import { quickBigramsMigration } from './0020-0039/0034-quick-bigrams.ts'
import { listIndexesMigration } from './0020-0039/0036-list-indexes.ts'
import { finishWriteMigration } from './0020-0039/0037-finish-write.ts'
import { soldContentMigration } from './0020-0039/0038-sold-content.ts'
import { canonicalNamesMigration } from './0040-0059/0040-canonical-names.ts'
import { courseScaleMigration } from './0020-0039/0039-course-scale.ts'
import { sortKeysMigration } from './0040-0059/0041-sort-keys.ts'
import { locksByTableMigration } from './0040-0059/0042-locks-by-table.ts'
import { passwordAgeMigration } from './0040-0059/0044-password-age.ts'
import { accountPersonsMigration } from './0040-0059/0046-account-persons.ts'
import { singleSignOnMigration } from './0040-0059/0047-single-sign-on.ts'
import { deviceCodesMigration } from './0040-0059/0049-device-codes.ts'
import { sessionFactsMigration } from './0040-0059/0050-session-facts.ts'
import { registrationsMigration } from './0040-0059/0051-registrations.ts'
import { secondFactorsMigration } from './0040-0059/0052-second-factors.ts'
import { keyedAuditMigration } from './0040-0059/0054-keyed-audit.ts'
import { threeAdministratorsMigration } from './0040-0059/0055-three-administrators.ts'
import { captchaWorkMigration } from './0040-0059/0056-captcha-work.ts'
import { flowsMigration } from './0040-0059/0059-flows.ts'
import { noticesMigration } from './0060-0079/0060-notices.ts'
import { flowTimersMigration } from './0060-0079/0061-flow-timers.ts'
import { providerSessionsMigration } from './0040-0059/0058-provider-sessions.ts'
import { archivesOnShardsMigration } from './0020-0039/0035-archives-on-shards.ts'
import { shippedFlowsMigration } from './0060-0079/0065-shipped-flows.ts'
import { deferralMigration } from './0060-0079/0066-deferral.ts'
import { caseDocumentsMigration } from './0060-0079/0068-case-documents.ts'
import { flowHandsMigration } from './0060-0079/0070-flow-hands.ts'
import { watchedJobsMigration } from './0060-0079/0078-watched-jobs.ts'
import { flowProofsMigration } from './0060-0079/0074-flow-proofs.ts'
import { formTablesMigration } from './0060-0079/0075-form-tables.ts'
import { printPurposeMigration } from './0080-0099/0080-print-purpose.ts'
import { hooksMigration } from './0080-0099/0082-hooks.ts'
import { auditTraceMigration } from './0080-0099/0083-audit-trace.ts'
import { apiTokensMigration } from './0080-0099/0087-api-tokens.ts'
import { fileFolderMigration } from './0080-0099/0088-file-folder.ts'
import { agentProposalsMigration } from './0080-0099/0089-agent-proposals.ts'

/** Forward only, in order of name. A released migration never changes. */
export const migrations: readonly Migration[] = [
  system,
  teaching,
  jobsMigration,
  studentMigration,
  documentsMigration,
  rowHistoryMigration,
  viewsMigration,
  bulkMigration,
  selfAdministrationMigration,
  listOrderMigration,
  columnWidthsMigration,
  rulesByColumnMigration,
  personalDataMigration,
  auditChainsMigration,
  customSqlCutsMigration,
  idempotencyKeysMigration,
  schoolKeysMigration,
  importCellsMigration,
  tableVersionsMigration,
  textBigramsMigration,
  dictionaryTonesMigration,
  entryLocksMigration,
  slowListsMigration,
  entryMenuMigration,
  nameInitialsMigration,
  passedUnknownMigration,
  quickBigramsMigration,
  archivesOnShardsMigration,
  listIndexesMigration,
  finishWriteMigration,
  soldContentMigration,
  courseScaleMigration,
  canonicalNamesMigration,
  sortKeysMigration,
  locksByTableMigration,
  passwordAgeMigration,
  accountPersonsMigration,
  singleSignOnMigration,
  deviceCodesMigration,
  sessionFactsMigration,
  registrationsMigration,
  secondFactorsMigration,
  keyedAuditMigration,
  threeAdministratorsMigration,
  captchaWorkMigration,
  providerSessionsMigration,
  flowsMigration,
  noticesMigration,
  flowTimersMigration,
  shippedFlowsMigration,
  deferralMigration,
  caseDocumentsMigration,
  flowHandsMigration,
  flowProofsMigration,
  formTablesMigration,
  watchedJobsMigration,
  printPurposeMigration,
  hooksMigration,
  auditTraceMigration,
  apiTokensMigration,
  fileFolderMigration,
  agentProposalsMigration,
]
