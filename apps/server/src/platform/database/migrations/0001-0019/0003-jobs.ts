import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** Imports and their row ledger (docs/rules/contract.md#entity-data). */
export const jobsMigration: Migration = {
  name: '0003-jobs',
  up: (db) =>
    run(db, [
      `create table sys.job (
      id bigint primary key, tenant_id bigint not null, user_id bigint not null, kind text not null,
      tag text not null, status text not null, phase text not null,
      options jsonb not null, file jsonb not null, choice_hash text not null, sheet jsonb, message jsonb,
      locale text not null,
      total integer not null default 0, done integer not null default 0, inserted integer not null default 0,
      updated integer not null default 0,
      fresh integer not null default 0, changed integer not null default 0, same integer not null default 0,
      wrong integer not null default 0,
      written_to integer not null default 0,
      lease_token text, lease_until timestamptz, attempts integer not null default 0,
      interrupted_at timestamptz, cancel_asked boolean not null default false,
      create_time timestamptz not null default now(), start_time timestamptz, end_time timestamptz,
      file_gone boolean not null default false)`,
      `create index sys_job_user_idx on sys.job (tenant_id, user_id, id desc)`,
      `create index sys_job_open_idx on sys.job (status) where status in ('queued', 'running', 'paused')`,
      // One row per row of the sheet. The job's written_to separates written rows from pending ones;
      // it advances in the same transaction as the rows.
      `create table sys.job_row (
      job_id bigint not null references sys.job(id) on delete cascade, row_no integer not null,
      verdict char(1) not null, row_id text, version text,
      payload jsonb, before jsonb, name text, errors jsonb, primary key (job_id, row_no))`,
      `create index sys_job_row_verdict_idx on sys.job_row (job_id, verdict, row_no)`,
      `create table sys.import_memory (tenant_id bigint not null, user_id bigint not null, tag text not null,
        choices jsonb not null, update_time timestamptz not null default now(), primary key (tenant_id,
        user_id, tag))`,
    ]),
}
