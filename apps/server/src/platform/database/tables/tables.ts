import type { FieldNarrowing } from '@jiaowu/api/entity/role'
import type { ColumnType, Generated } from 'kysely'
import type { DocumentContent } from './document-content.ts'
import type { AuditTables } from './tables-audit.ts'
import type { FlowTables } from './tables-flows.ts'
import type { HookTables } from './tables-hooks.ts'
import type { NoticeTables } from './tables-notices.ts'
import type { NoticeKind } from '@jiaowu/api/contract/message'
import type { JobTables } from './tables-jobs.ts'
import type { FactorTables } from './tables-factor.ts'
import type { SsoTables } from './tables-sso.ts'
import type { TokenTables } from './tables-tokens.ts'
import type { StudentTables } from './tables-student.ts'

// The driver returns bigint and numeric as string, timestamptz as ISO string, date as YYYY-MM-DD and
// jsonb parsed.
type Moment = ColumnType<string, string | Date, string | Date>
type Filled = ColumnType<string, string | Date | undefined, string | Date>
type Json<T> = ColumnType<T, string, string>

/** Columns of every table with rows of tenants. A row with `deleted_at` is in the recycle bin. */
interface StandardColumns {
  id: string
  tenant_id: string
  org_id: Generated<string | null>
  create_user: Generated<string | null>
  create_time: Filled
  update_user: Generated<string | null>
  update_time: Filled
  version: Generated<number>
  deleted_at: ColumnType<string | null, undefined, string | Date | null>
}

interface Tenant extends StandardColumns {
  code: string
  name: string
  status: Generated<string>
  remarks: Generated<string | null>
  /** Whether it has three administrators (access/duties.ts). */
  split_duties: Generated<boolean>
}
interface AppUser extends StandardColumns {
  account: string
  name: string
  password_hash: string
  /** When the hash was last written. */
  password_changed_at: Filled
  mobile: Generated<string | null>
  email: Generated<string | null>
  station_id: Generated<string | null>
  status: Generated<string>
  must_change_password: Generated<boolean>
  last_login_at: ColumnType<string | null, undefined, string | Date>
  remarks: Generated<string | null>
  /** Role ids in a column instead of a join table, so that the user form is an ordinary entity. */
  role_ids: Generated<string[]>
  /** The row that the account belongs to: the tag of its entity, and its id. Both, or none. */
  person_tag: Generated<string | null>
  person_id: Generated<string | null>
}
interface Role extends StandardColumns {
  code: string
  name: string
  name_en: Generated<string | null>
  status: Generated<string>
  /** '1': demands a second factor. */
  needs_factor: Generated<string>
  remarks: Generated<string | null>
}
interface RolePermission {
  tenant_id: string
  role_id: string
  code: string
}
/**
 * Narrows a role's grants on the entities of a table: rows by scope, fields by lowering flags
 * (docs/rules/security.md#permissions).
 */
interface RoleTableRule {
  tenant_id: string
  role_id: string
  /** `schema.table` */
  table_name: string
  row_scope: Generated<'all' | 'own' | 'org' | 'org_tree' | 'expression'>
  /** Names columns. */
  scope_expression: Generated<string | null>
  /** By column, or `custom:attrName`. */
  field_overrides: ColumnType<Readonly<Record<string, FieldNarrowing>>, string | undefined, string>
}
interface Menu extends StandardColumns {
  pid: Generated<string>
  name: string
  name_en: Generated<string | null>
  path: Generated<string>
  icon: Generated<string | null>
  tag: Generated<string | null>
  sort: Generated<number>
  hidden: Generated<string>
  role_codes: Generated<string[]>
  open_type: Generated<string | null>
}
interface Org extends StandardColumns {
  pid: Generated<string>
  code: string
  name: string
  sort: Generated<number>
  leader: Generated<string | null>
  phone: Generated<string | null>
}
interface Station extends StandardColumns {
  name: string
  code: string
  sort: Generated<number>
  remarks: Generated<string | null>
}
interface Dict extends StandardColumns {
  code: string
  name: string
  remarks: Generated<string | null>
}
interface DictItem extends StandardColumns {
  dict_code: string
  item_code: string
  name: string
  name_en: Generated<string | null>
  pid: Generated<string>
  sort: Generated<number>
  status: Generated<string>
  tone: Generated<string | null>
}
interface Area extends StandardColumns {
  pid: Generated<string>
  code: string
  name: string
  sort: Generated<number>
}
interface Param extends StandardColumns {
  code: string
  name: string
  value: Generated<string | null>
  remarks: Generated<string | null>
}
interface Application extends StandardColumns {
  client_id: string
  name: string
  url: Generated<string | null>
  status: Generated<string>
  remarks: Generated<string | null>
}
interface SystemApi extends StandardColumns {
  name: string
  method: string
  path: string
  access: Generated<string | null>
  remarks: Generated<string | null>
}
interface SmsTemplate extends StandardColumns {
  code: string
  name: string
  content: string
  status: Generated<string>
}
interface SmsTask extends StandardColumns {
  template_code: string
  mobile: string
  content: string
  status: Generated<string>
  sent_at: Generated<string | null>
  failure: Generated<string | null>
}
interface MessageRow extends StandardColumns {
  title: string
  content: Generated<string | null>
  receiver_id: Generated<string | null>
  status: Generated<string>
  read_at: Generated<string | null>
  /** The kind of the notice; `system` for all others. */
  kind: Generated<NoticeKind>
  /** The row that a notice tells of. */
  tag: Generated<string | null>
  row_id: Generated<string | null>
  /** Names the event: a receiver has one message of it. Null for messages of people and of the system. */
  event_key: Generated<string | null>
}
interface Notice extends StandardColumns {
  notice_title: string
  issue_time: ColumnType<string | null, string | Date | null, string | Date | null>
  notice_content: Generated<string | null>
  notice_status: Generated<string>
}
interface AttachmentRow extends StandardColumns {
  biz_type: string
  biz_id: string
  name: string
  size: string
  type: string
  storage_name: string
  sha256: string
}
interface EntityRow {
  id: string
  /** '0' for the definition shared by all tenants; a tenant's own row overrides it. */
  tenant_id: string
  tag: string
  name: string
  definition: Json<unknown>
  /** Fingerprint of the built-in definition this row was made from; null once a user has edited it. */
  built_in: Generated<string | null>
  version: Generated<number>
  create_user: Generated<string | null>
  create_time: Filled
  update_user: Generated<string | null>
  update_time: Filled
}
interface EntityRevision {
  id: string
  entity_id: string
  tenant_id: string
  tag: string
  version: number
  definition: Json<unknown>
  create_user: Generated<string | null>
  create_time: Filled
  note: Generated<string | null>
}
/**
 * One row per pair of tokens. A refresh ends a row and names its successor. Only hashes are stored
 * (docs/rules/security.md#s1 to #s3).
 */
interface SessionRow {
  id: string
  family_id: string
  tenant_id: string
  user_id: string
  kind: 'staff' | 'student'
  access_hash: string
  access_expires_at: Moment
  refresh_hash: string
  refresh_expires_at: Moment
  refresh_used_at: ColumnType<string | null, undefined, string | Date>
  successor_id: ColumnType<string | null, undefined, string>
  absolute_expires_at: Moment
  ended_at: ColumnType<string | null, undefined, string | Date>
  ended_reason: Generated<string | null>
  ip: string | null
  create_time: Filled
  /** The successor's encrypted tokens: for 10 s, a repeated refresh gets the same reply. */
  sealed_successor: Generated<string | null>
  user_agent: Generated<string | null>
  /** How the person proved who they are at the sign-in. */
  proof_by: Generated<string | null>
  /** The time of the first row of the family. */
  began_at: ColumnType<string | null, Date | string | null, never>
  /** The time of the last call, at most some minutes late (identity/own-sessions.ts). */
  used_at: ColumnType<string | null, Date | string | null, Date | string>
  /** The time of the last proof of the person (identity/fresh-proof.ts). */
  proved_at: ColumnType<string | null, Date | string | null, Date | string>
  /** The hash of the token of a proof that was not used yet. */
  proof_hash: Generated<string | null>
  proof_expires_at: ColumnType<
    string | null,
    Date | string | null | undefined,
    Date | string | null
  >
  /** When the person made that proof; null: when its token is used. */
  proof_made_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>
}
/** The sign-in of a device that a person confirms in a browser. */
interface DeviceCode {
  device_hash: string
  user_code: string
  address: string | null
  user_agent: string | null
  created_at: Moment
  expires_at: Moment
  interval_seconds: number
  polled_at: ColumnType<string | null, undefined, string | Date>
  decided_at: ColumnType<string | null, undefined, string | Date>
  agreed: Generated<boolean | null>
  tenant_id: Generated<string | null>
  user_id: Generated<string | null>
  proved_at: ColumnType<string | null, undefined, string | Date | null>
  used_at: ColumnType<string | null, undefined, string | Date>
  /** The session that asks for a proof; null for a sign-in. */
  family_id: Generated<string | null>
}
/** Counters of rate limits, stored so that a restart does not reset them (docs/rules/security.md#sign-in). */
interface RateLimit {
  key: string
  window_start: Moment
  count: number
  blocked_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>
}
interface Captcha {
  key: string
  answer: string
  purpose: string
  /** JSON of `captcha-work.ts`; null: the answer needs no work. */
  work: string | null
  expires_at: Moment
  used_at: ColumnType<string | null, undefined, string | Date>
}
interface FileTicket {
  ticket_hash: string
  tenant_id: string
  user_id: string
  biz_type: string
  biz_id: string
  attachment_id: Generated<string | null>
  expires_at: Moment
  uses: Generated<number>
}
/** Keys that personal data is encrypted with; a check value tells a wrong one. */
interface PiiKey {
  id: string
  check_value: string
  converted: Generated<boolean>
  created_at: Generated<string>
}
interface SerialCounter {
  tenant_id: string
  tag: string
  period: string
  value: ColumnType<string, string | number, string | number>
}
/** Values of fields without a column, on tables we may not alter (docs/rules/contract.md#definitions). */
interface CustomValue {
  tenant_id: string
  tag: string
  row_id: string
  attr_name: string
  value: Json<unknown>
}

/** An issued document; without a file until its PDF has been rendered (migration 0005). */
interface DocumentTable {
  id: string
  tenant_id: string
  /** Null for a document of a case about no student. */
  student_id: string | null
  /** Null for a document of a case. */
  report_id: string | null
  /** The case of a flow that issued it, and the code of the document in the flow (migration 0068). */
  case_id: Generated<string | null>
  template: Generated<string | null>
  kind: string
  language: 'zh' | 'en'
  number: string
  code: string
  content: Json<DocumentContent>
  content_hash: string
  issued_at: Moment
  sha256: Generated<string | null>
  size: Generated<number | null>
  storage_name: Generated<string | null>
  revoked_at: ColumnType<string | null, undefined, string | Date>
  revoked_by: Generated<string | null>
  revoke_reason: Generated<string | null>
}
/** One change of a row (migration 0007). */
interface RowHistoryTable {
  id: string
  tenant_id: string
  tag: string
  row_id: string
  action: string
  at: Moment
  user_id: Generated<string | null>
  changes: Json<unknown>
}
/** A saved view of a list; `content` is a ViewContent (migration 0008). */
interface ListView {
  id: string
  tenant_id: string
  tag: string
  scope: 'mine' | 'role' | 'everyone'
  owner_id: string
  role_id: string | null
  name: string
  content: Json<unknown>
  is_default: Generated<boolean>
  version: Generated<number>
  create_time: Filled
  update_user: Generated<string | null>
  update_time: Filled
}
/**
 * A user's settings of one list: columns of the list without a view, the view it opens with, and
 * the column widths in every view.
 */
interface ListLayout {
  tenant_id: string
  user_id: string
  tag: string
  columns: ColumnType<unknown, string | null, string | null>
  opens: Generated<string>
  widths: ColumnType<unknown, string | null, string | null>
  update_time: Filled
}
/** The content that an order sells, until its document is claimed (migration 0038). */
interface OrderContent {
  /** The id of the order. */
  id: string
  tenant_id: string
  content: Json<DocumentContent>
  create_time: Moment
}
interface DocumentOrder {
  tenant_id: string
  order_no: string
  document_id: string
}

interface CustomSqlCut {
  tenant_id: string
  /** SHA-256 of the trimmed text. */
  digest: string
  cuts: number
  last_cut: Filled
}

interface EntryLock {
  tenant_id: string
  table_name: string
  sheet: string
  user_id: string
  locked_at: Filled
}

/** A change of a table by a designer (docs/rules/database.md#tables-made-in-the-product). */
interface TableChange {
  tenant_id: string
  id: string
  schema_name: string
  table_name: string
  kind: 'create' | 'drop' | 'add' | 'archive' | 'restore'
  column_name: string | null
  /** The plan of the table or column. */
  plan: ColumnType<unknown, string, string>
  /** As they were run. */
  statements: string
  /** The later change that took this one back. */
  undone_by: string | null
  create_user: string | null
  create_time: Filled
}

/** The product's own tables. Entity data is read and written by `entities/`, not through these types. */
export interface Tables
  extends
    StudentTables,
    FactorTables,
    SsoTables,
    FlowTables,
    HookTables,
    NoticeTables,
    JobTables,
    TokenTables,
    AuditTables {
  'sys.tenant': Tenant
  'sys.app_user': AppUser
  'sys.role': Role
  'sys.role_permission': RolePermission
  'sys.role_table_rule': RoleTableRule
  'sys.menu': Menu
  'sys.org': Org
  'sys.station': Station
  'sys.dict': Dict
  'sys.dict_item': DictItem
  'sys.area': Area
  'sys.param': Param
  'sys.application': Application
  'sys.api': SystemApi
  'sys.sms_template': SmsTemplate
  'sys.sms_task': SmsTask
  'sys.message': MessageRow
  'sys.notice': Notice
  'sys.attachment': AttachmentRow
  'sys.entity': EntityRow
  'sys.entity_revision': EntityRevision
  'sys.table_change': TableChange
  'sys.session': SessionRow
  'sys.rate_limit': RateLimit
  'sys.device_code': DeviceCode
  'sys.captcha': Captcha
  'sys.file_ticket': FileTicket
  'sys.serial_counter': SerialCounter
  'sys.pii_key': PiiKey
  'sys.custom_value': CustomValue
  'sys.row_history': RowHistoryTable
  'sys.list_view': ListView
  'sys.custom_sql_cut': CustomSqlCut
  'sys.entry_lock': EntryLock
  'sys.list_layout': ListLayout
  'sys.document': DocumentTable
  'sys.document_order': DocumentOrder
  'sys.order_content': OrderContent
}
