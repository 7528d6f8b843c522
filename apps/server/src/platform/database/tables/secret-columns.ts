// The columns whose values never leave the server, whatever a definition says
// (docs/rules/security.md#secrets). A migration that adds a column whose name sounds like a secret
// must add it here or to `harmlessColumns`: secret-columns.test.ts walks the catalog.

/** `schema.table` → its secret columns. */
export const secretColumns: Readonly<Record<string, readonly string[]>> = {
  'biz.student': ['id_card_index'],
  'sys.api_token': ['token_hash'],
  'sys.app_user': ['password_hash'],
  'sys.audit_key': ['check_value'],
  'sys.captcha': ['key', 'answer', 'work'],
  'sys.captcha_ticket': ['ticket_hash'],
  'sys.device_code': ['device_hash', 'user_code'],
  'sys.factor_step': ['challenge', 'token_hash'],
  'sys.file_ticket': ['ticket_hash'],
  'sys.hook': ['secret'],
  'sys.idempotency_key': ['answer', 'body_hash', 'key_hash', 'token'],
  'sys.job': ['choice_hash', 'lease_token'],
  'sys.known_browser': ['password_stamp', 'token_hash'],
  'sys.passkey': ['credential_id', 'public_key'],
  'sys.passkey_challenge': ['challenge'],
  'sys.pii_key': ['check_value'],
  'sys.recovery_code': ['code_hash'],
  'sys.sandbox_trade': ['token'],
  'sys.session': ['access_hash', 'proof_hash', 'refresh_hash', 'sealed_successor'],
  'sys.sms_code': ['salt', 'hash'],
  'sys.sso_attempt': ['browser_hash', 'code_hash', 'id_token', 'state_hash'],
  'sys.sso_logout': ['jti_hash'],
  'sys.sso_session': ['id_token'],
  'sys.totp': ['last_step', 'secret'],
}

/** Columns whose names sound like secrets, each with the reason why it is none. */
export const harmlessColumns: Readonly<Record<string, string>> = {
  'biz.class.code': 'the number of a class',
  'biz.course.code': 'the number of a course',
  'biz.faculty.code': 'the number of a faculty',
  'biz.major.code': 'the number of a major',
  'biz.print_order.code_url': 'the address a payer scans; it only accepts money',
  'biz.report.report_code': 'the name of a report',
  'sys.app_user.must_change_password': 'a flag',
  'sys.app_user.password_changed_at': 'a time',
  'sys.area.code': 'the number of a region',
  'sys.audit_anchor.hash': 'a link of the chain; the chain is there to be compared',
  'sys.audit_anchor.key_id': 'names a key; tells nothing about it',
  'sys.audit_chain.hash': 'a link of the chain; the chain is there to be compared',
  'sys.audit_log.hash': 'a link of the chain; the chain is there to be compared',
  'sys.audit_log.key_id': 'names a key; tells nothing about it',
  'sys.audit_log.prev_hash': 'a link of the chain; the chain is there to be compared',
  'sys.audit_mark.hash': 'a link of the chain; the chain is there to be compared',
  'sys.audit_mark.key_id': 'names a key; tells nothing about it',
  'sys.dict.code': 'the name of a dictionary',
  'sys.dict_item.dict_code': 'the name of a dictionary',
  'sys.dict_item.item_code': 'the stored value of a choice',
  'sys.document.code': 'printed on the document; staff with the right to view documents see it',
  'sys.document.content_hash': 'a digest to find changed content; the content has its own rights',
  'sys.hook_delivery.row_key': 'the id of a row',
  'sys.message.event_key': 'names the event of a notice',
  'sys.notice_task.event_key': 'names the event of a notice',
  'sys.menu.role_codes': 'names of roles',
  'sys.org.code': 'the number of an organisation',
  'sys.param.code': 'the name of a parameter',
  'sys.pay_outbox.key': 'a name that makes a request to the provider repeatable',
  'sys.rate_limit.key': 'the name of a counter',
  'sys.role.code': 'the name of a role',
  'sys.role_permission.code': 'the name of a permission',
  'sys.sms_task.template_code': 'the name of a template',
  'sys.sms_template.code': 'the name of a template',
  'sys.sso_attempt.code_expires_at': 'a time',
  'sys.sso_attempt.code_used_at': 'a time',
  'sys.station.code': 'the number of a post',
  'sys.tenant.code': 'the number of a school',
}

/** Whether a column of `schema.table` is secret. */
export function isSecretColumn(table: string, column: string): boolean {
  return Object.hasOwn(secretColumns, table) && secretColumns[table]?.includes(column) === true
}
