import { reference, run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/** Tokens of programs that act for a person (docs/rules/contract.md#api-tokens). */
export const apiTokensMigration: Migration = {
  name: '0087-api-tokens',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.api_token',
        'id',
        `id bigint not null, user_id bigint not null, name text not null, token_hash text not null,
         entities text[] not null, rights text[] not null, per_second integer not null,
         create_time timestamptz not null, expires_at timestamptz not null, used_at timestamptz,
         revoked_at timestamptz, ${reference('user_id', 'sys.app_user')} on delete cascade`,
      ),
      `create unique index sys_api_token_hash_idx on sys.api_token (tenant_id, token_hash)`,
      `create index sys_api_token_user_idx on sys.api_token (tenant_id, user_id, id)`,
    ]),
}
