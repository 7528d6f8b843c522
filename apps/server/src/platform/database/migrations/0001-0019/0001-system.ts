import type { Migration } from '../migrate.ts'
import { index, run, table, unique } from '../columns.ts'

const people = [
  table(
    'sys.tenant',
    `code text not null unique, name text not null, status text not null default '1', remarks text`,
  ),
  table(
    'sys.org',
    `pid bigint not null default 0, code text not null, name text not null, sort integer not null default 0,
      leader text, phone text`,
  ),
  table(
    'sys.station',
    `name text not null, code text not null, sort integer not null default 0, remarks text`,
  ),
  table(
    'sys.app_user',
    `account text not null, name text not null, password_hash text not null, mobile text, email text,
      station_id bigint, status text not null default '1',
    must_change_password boolean not null default false, last_login_at timestamptz, remarks text,
    role_ids text[] not null default '{}'`,
  ),
  table(
    'sys.role',
    `code text not null, name text not null, name_en text, status text not null default '1', remarks text`,
  ),
  `create table sys.role_permission (tenant_id bigint not null,
    role_id bigint not null references sys.role(id), code text not null, primary key (role_id, code))`,
  `create table sys.role_entity_rule (tenant_id bigint not null,
    role_id bigint not null references sys.role(id), tag text not null,
    row_scope text not null default 'all' check (row_scope in ('all', 'own', 'org', 'org_tree',
    'expression')), scope_expression text, field_overrides jsonb not null default '{}', primary key (role_id,
    tag))`,
  unique('sys.org', 'code'),
  unique('sys.station', 'code'),
  unique('sys.app_user', 'account'),
  unique('sys.role', 'code'),
  index('sys.org', 'pid'),
]

const settings = [
  table(
    'sys.menu',
    `pid bigint not null default 0, name text not null, name_en text, path text not null default '',
      icon text, tag text, sort integer not null default 0, hidden char(1) not null default '0',
    role_codes text[] not null default '{}', open_type text`,
  ),
  table('sys.dict', `code text not null, name text not null, remarks text`),
  table(
    'sys.dict_item',
    `dict_code text not null, item_code text not null, name text not null, name_en text,
      pid text not null default '0', sort integer not null default 0, status text not null default '1'`,
  ),
  table(
    'sys.area',
    `pid bigint not null default 0, code text not null, name text not null, sort integer not null default 0`,
  ),
  table('sys.param', `code text not null, name text not null, value text, remarks text`),
  table(
    'sys.application',
    `client_id text not null, name text not null, url text, status text not null default '1', remarks text`,
  ),
  table(
    'sys.api',
    `name text not null, method text not null, path text not null, access text, remarks text`,
  ),
  unique('sys.dict', 'code'),
  unique('sys.dict_item', 'dict_code, item_code'),
  unique('sys.area', 'code'),
  unique('sys.param', 'code'),
  unique('sys.application', 'client_id'),
  unique('sys.api', 'method, path'),
  index('sys.menu', 'pid'),
  index('sys.area', 'pid'),
]

const messages = [
  table(
    'sys.sms_template',
    `code text not null, name text not null, content text not null, status text not null default '1'`,
  ),
  table(
    'sys.sms_task',
    `template_code text not null, mobile text not null, content text not null,
      status text not null default '0', sent_at timestamptz, failure text`,
  ),
  table(
    'sys.message',
    `title text not null, content text, receiver_id bigint, status text not null default '0',
      read_at timestamptz`,
  ),
  table(
    'sys.notice',
    `notice_title text not null, issue_time timestamptz, notice_content text,
      notice_status text not null default '1'`,
  ),
  table(
    'sys.attachment',
    `biz_type text not null, biz_id text not null, name text not null, size bigint not null,
      type text not null, storage_name text not null unique, sha256 text not null`,
  ),
  unique('sys.sms_template', 'code'),
  index('sys.sms_task', 'mobile'),
  index('sys.notice', 'issue_time'),
  index('sys.attachment', 'biz_type, biz_id'),
  index('sys.message', 'receiver_id'),
]

const definitions = [
  `create table sys.entity (id bigint primary key, tenant_id bigint not null, tag text not null,
    name text not null, definition jsonb not null, built_in text, version integer not null default 1,
    create_user bigint, create_time timestamptz not null default now(), update_user bigint,
    update_time timestamptz not null default now(), unique (tenant_id, tag))`,
  `create table sys.entity_revision (id bigint primary key,
    entity_id bigint not null references sys.entity(id) on delete cascade, tenant_id bigint not null,
    tag text not null, version integer not null,
    definition jsonb not null, note text, create_user bigint, create_time timestamptz not null default now(),
    unique (entity_id, version))`,
  `create table sys.serial_counter (tenant_id bigint not null, tag text not null, period text not null,
    value bigint not null, primary key (tenant_id, tag, period))`,
  `create table sys.custom_value (tenant_id bigint not null, tag text not null, row_id text not null,
    attr_name text not null, value jsonb, primary key (tenant_id, tag, row_id, attr_name))`,
]

const access = [
  `create table sys.session (id bigint primary key, family_id bigint not null, tenant_id bigint not null,
    user_id bigint not null, kind text not null check (kind in ('staff', 'student')),
    access_hash text not null unique, access_expires_at timestamptz not null,
    refresh_hash text not null unique, refresh_expires_at timestamptz not null, refresh_used_at timestamptz,
    successor_id bigint, sealed_successor text, absolute_expires_at timestamptz not null,
    ended_at timestamptz, ended_reason text, ip text, create_time timestamptz not null default now())`,
  `create index sys_session_user_idx on sys.session (user_id, ended_at)`,
  `create index sys_session_family_idx on sys.session (family_id)`,
  `create table sys.rate_limit (key text primary key, window_start timestamptz not null,
    count integer not null, blocked_until timestamptz)`,
  `create table sys.captcha (key text primary key, answer text not null, purpose text not null,
    expires_at timestamptz not null, used_at timestamptz)`,
  `create table sys.file_ticket (ticket_hash text primary key, tenant_id bigint not null,
    user_id bigint not null, biz_type text not null, biz_id text not null, attachment_id bigint,
    expires_at timestamptz not null, uses integer not null default 0)`,
]

// Append-only: the chain of hashes shows what was changed, the trigger refuses it (docs/rules/security.md#l1).
const audit = [
  `create table sys.audit_log (id bigint primary key, seq bigint generated always as identity unique,
    tenant_id bigint not null, at timestamptz not null default now(), user_id bigint, account text, ip text,
    action text not null, object text, object_id text, result text not null,
    detail jsonb not null default '{}', trace_id text, prev_hash text not null, hash text not null)`,
  `create index sys_audit_log_at_idx on sys.audit_log (tenant_id, at)`,
  `create index sys_audit_log_object_idx on sys.audit_log (tenant_id, object, object_id)`,
  `create table sys.audit_turn (id integer primary key)`,
  `insert into sys.audit_turn values (1)`,
  `create function sys.refuse_change() returns trigger language plpgsql as $$ begin raise exception
    'audit_log is append-only'; end $$`,
  `create trigger audit_log_append_only before update or delete on sys.audit_log for each row execute function
    sys.refuse_change()`,
]

export const system: Migration = {
  name: '0001-system',
  up: (db) => run(db, [...people, ...settings, ...messages, ...definitions, ...access, ...audit]),
}
