// Where the rows of each table belong (docs/rules/database.md#the-school-in-every-key-and-statement).
import type { Tables } from './tables.ts'

/**
 * school: rows of one school, found by `tenant_id`; on a cluster they are spread by it.
 * shared: rows of all schools (`tenant_id` 0) beside own rows of schools, or the list of schools
 * itself; on a cluster each node has a copy.
 * local: rows without a school; on a cluster they stay on the node that is asked.
 */
export type Placement = 'school' | 'shared' | 'local'

/** Every table of the product; an undeclared one fails a test. */
export const tablePlacement = {
  'biz.class': 'school',
  'biz.course': 'school',
  'biz.faculty': 'school',
  'biz.grade': 'school',
  'biz.major': 'school',
  'biz.print_order': 'school',
  'biz.registration': 'school',
  'biz.report': 'school',
  'biz.student': 'school',
  'biz.teacher': 'school',
  'sys.api': 'school',
  'sys.app_user': 'school',
  'sys.application': 'school',
  'sys.area': 'school',
  'sys.attachment': 'school',
  'sys.audit_anchor': 'school',
  'sys.audit_chain': 'school',
  'sys.audit_check': 'school',
  'sys.audit_delivery': 'school',
  'sys.audit_log': 'school',
  'sys.audit_mark': 'school',
  'sys.custom_sql_cut': 'school',
  'sys.custom_value': 'school',
  'sys.document': 'school',
  'sys.document_order': 'school',
  'sys.entitlement': 'school',
  'sys.entry_lock': 'school',
  'sys.file_ticket': 'school',
  'sys.flow_case': 'school',
  'sys.flow_decision': 'school',
  'sys.flow_revision': 'school',
  'sys.flow_todo': 'school',
  'sys.idempotency_key': 'school',
  'sys.import_memory': 'school',
  'sys.job': 'school',
  'sys.job_cell': 'school',
  'sys.job_row': 'school',
  'sys.list_layout': 'school',
  'sys.list_view': 'school',
  'sys.menu': 'school',
  'sys.message': 'school',
  'sys.notice': 'school',
  'sys.order_content': 'school',
  'sys.org': 'school',
  'sys.pay_discrepancy': 'school',
  'sys.pay_outbox': 'school',
  'sys.payment': 'school',
  'sys.refund': 'school',
  'sys.role': 'school',
  'sys.role_permission': 'school',
  'sys.role_table_rule': 'school',
  'sys.row_history': 'school',
  'sys.serial_counter': 'school',
  'sys.session': 'school',
  'sys.slow_list': 'school',
  'sys.sso_attempt': 'school',
  'sys.sso_logout': 'school',
  'sys.sso_session': 'school',
  'sys.sms_code': 'school',
  'sys.sms_task': 'school',
  'sys.sms_template': 'school',
  'sys.station': 'school',
  'sys.table_version': 'school',
  'sys.dict': 'shared',
  'sys.dict_item': 'shared',
  'sys.entity': 'shared',
  'sys.entity_revision': 'shared',
  'sys.param': 'shared',
  'sys.tenant': 'shared',
  // Before sign-in the school is not known yet.
  'sys.captcha': 'local',
  'sys.captcha_ticket': 'local',
  'sys.device_code': 'local',
  // Counted by address as well as by person.
  'sys.rate_limit': 'local',
  // A table of the program and its keys, not of a school.
  'sys.migration': 'local',
  'sys.migration_turn': 'local',
  'sys.audit_key': 'local',
  'sys.pii_key': 'local',
  // A message of a provider by its own number, before anything is known about it.
  'sys.pay_notice': 'local',
  // The simulated provider stands for a system outside the database.
  'sys.sandbox_refund': 'local',
  'sys.sandbox_trade': 'local',
} as const satisfies Record<keyof Tables, Placement> & Record<string, Placement>
