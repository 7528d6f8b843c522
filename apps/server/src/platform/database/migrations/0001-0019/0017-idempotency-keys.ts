import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Keys of requests that create or start something (docs/rules/contract.md#creates). Holds neither
 * keys nor readable answers: `key_hash` covers route and key, `answer` is encrypted with the key.
 */
const keys = [
  `create table sys.idempotency_key (
    tenant_id bigint not null, person text not null, key_hash text not null,
    body_hash text not null, token text, lease_until timestamptz, written_at timestamptz,
    ref text, answer text, create_time timestamptz not null,
    primary key (tenant_id, person, key_hash))`,
  `create index sys_idempotency_key_age_idx on sys.idempotency_key (create_time)`,
]

export const idempotencyKeysMigration: Migration = {
  name: '0017-idempotency-keys',
  up: (db) => run(db, keys),
}
