import type { Migration } from '../migrate.ts'
import { index, run } from '../columns.ts'

const states = [
  'FREE',
  'CREATING',
  'PENDING',
  'CLOSING',
  'PAID',
  'CLOSED',
  'FAILED',
  'REFUND_DUE',
  'REFUNDING',
  'REFUNDED',
]
  .map((state) => `'${state}'`)
  .join(', ')

// Rules N1, N6 and N7 of docs/rules/security.md#payments are database constraints: partial unique
// indexes, unique keys and checks.
const orders = [
  ...addCommentedColumn(
    'source',
    `varchar(10) not null default 'student' check (source in ('student', 'staff'))`,
    '来源',
  ),
  ...addCommentedColumn('gateway', 'varchar(20)', '支付渠道'),
  ...addCommentedColumn('code_url', 'text', '支付二维码内容'),
  ...addCommentedColumn('expires_at', 'timestamptz', '支付截止时间'),
  ...addCommentedColumn('close_sent_at', 'timestamptz', '关单请求时间'),
  ...addCommentedColumn('closed_at', 'timestamptz', '关闭时间'),
  ...addCommentedColumn('failure', 'varchar(200)', '失败原因'),
  `alter table biz.print_order add constraint print_order_state_check check (state in (${states}))`,
  `alter table biz.print_order add constraint print_order_amount_check check (amount_fen in (0, 500, 3000))`,
  `alter table biz.report add constraint report_price_check check (price_fen in (0, 500, 3000))`,
  `create unique index biz_print_order_payable_key on biz.print_order (tenant_id, student_id,
    report_id) where state in ('CREATING', 'PENDING') and deleted_at is null`,
  `create unique index biz_print_order_free_key on biz.print_order (tenant_id, student_id,
    report_id) where state = 'FREE' and source = 'student' and deleted_at is null`,
  `create index biz_print_order_due_idx on biz.print_order (expires_at) where state in ('CREATING',
    'PENDING')`,
  index('biz.print_order', 'student_id, report_id, id'),
  index('biz.print_order', 'paid_at'),
]

const money = [
  `create table sys.entitlement (id bigint primary key, tenant_id bigint not null,
    student_id bigint not null references biz.student(id),
    report_id bigint not null references biz.report(id),
    order_id bigint not null references biz.print_order(id), granted_at timestamptz not null,
    revoked_at timestamptz)`,
  `create unique index sys_entitlement_key on sys.entitlement (tenant_id, student_id,
    report_id) where revoked_at is null`,
  `create index sys_entitlement_order_idx on sys.entitlement (order_id)`,
  `create table sys.payment (id bigint primary key, tenant_id bigint not null,
    order_id bigint not null unique references biz.print_order(id), transaction_id text not null unique,
    amount_fen integer not null check (amount_fen > 0), source text not null check (source in ('notify',
    'query', 'bill')), paid_at timestamptz not null, known_at timestamptz not null)`,
  `create table sys.refund (id bigint primary key, tenant_id bigint not null,
    order_id bigint not null references biz.print_order(id), refund_no text not null unique,
    amount_fen integer not null check (amount_fen > 0),
    state text not null check (state in ('REQUESTED', 'REJECTED', 'DUE', 'SENT', 'DONE', 'FAILED')),
    reason text not null, automatic boolean not null, requested_by bigint, approved_by bigint, failure text,
    create_time timestamptz not null, decided_at timestamptz, done_at timestamptz,
    check (automatic or requested_by is not null), check (approved_by is null or approved_by <>
    requested_by))`,
  `create unique index sys_refund_live_key on sys.refund (order_id) where state in ('REQUESTED', 'DUE',
    'SENT', 'DONE')`,
  `create index sys_refund_state_idx on sys.refund (tenant_id, state, id)`,
  // N9: a request to the provider is stored before it is sent; the unique key prevents duplicates.
  `create table sys.pay_outbox (id bigint primary key, tenant_id bigint not null,
    order_id bigint not null references biz.print_order(id), kind text not null check (kind in ('create',
    'query', 'close', 'refund', 'revoke')), key text not null unique,
    refund_id bigint references sys.refund(id), attempts integer not null default 0,
    next_at timestamptz not null, leased_until timestamptz, done_at timestamptz, failure text,
    create_time timestamptz not null)`,
  `create index sys_pay_outbox_due_idx on sys.pay_outbox (next_at) where done_at is null`,
  `create index sys_pay_outbox_order_idx on sys.pay_outbox (order_id)`,
  `create table sys.pay_notice (id text primary key, order_no text, received_at timestamptz not null,
    outcome text not null)`,
  `create table sys.pay_discrepancy (id bigint primary key, tenant_id bigint not null, day date not null,
    order_no text not null, kind text not null, our_fen integer, their_fen integer,
    settled boolean not null default false, create_time timestamptz not null,
    unique (tenant_id, day, order_no, kind))`,
  // The state of the sandbox provider. Only its gateway reads it.
  `create table sys.sandbox_trade (order_no text primary key, token text not null unique,
    amount_fen integer not null, description text not null, state text not null check (state in ('NOTPAY',
    'SUCCESS', 'CLOSED', 'REFUND', 'PAYERROR')),
    transaction_id text unique, expires_at timestamptz not null, paid_at timestamptz,
    create_time timestamptz not null)`,
  `create table sys.sandbox_refund (refund_no text primary key,
    order_no text not null references sys.sandbox_trade(order_no), amount_fen integer not null,
    create_time timestamptz not null)`,
]

const codes = [
  `create table sys.captcha_ticket (ticket_hash text primary key, network text not null,
    expires_at timestamptz not null, used_at timestamptz)`,
  `create table sys.sms_code (id bigint primary key, tenant_id bigint not null, mobile text not null,
    purpose text not null check (purpose in ('1', '2')), salt text not null, hash text not null,
    tries integer not null default 0,
    expires_at timestamptz not null, used_at timestamptz, voided_at timestamptz,
    create_time timestamptz not null)`,
  `create index sys_sms_code_idx on sys.sms_code (tenant_id, mobile, purpose, id)`,
]

/** Student accounts, orders and money (docs/rules/contract.md#student-service, docs/rules/security.md#payments). */
export const studentMigration: Migration = {
  name: '0004-student',
  up: (db) => run(db, [...orders, ...money, ...codes]),
}

function addCommentedColumn(name: string, type: string, comment: string) {
  return [
    `alter table biz.print_order add column ${name} ${type}`,
    `comment on column biz.print_order.${name} is '${comment}'`,
  ]
}
