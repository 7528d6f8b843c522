import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Sign-ins of devices that wait for a person to confirm them in a browser (docs/rules/security.md#s7). The
 * school is not known before that. `proved_at`: when that person last proved who they are.
 */
export const deviceCodesMigration: Migration = {
  name: '0049-device-codes',
  up: (db) =>
    run(db, [
      `create table sys.device_code (
         device_hash text primary key, user_code text not null unique, address text, user_agent text,
         created_at timestamptz not null, expires_at timestamptz not null,
         interval_seconds integer not null, polled_at timestamptz,
         decided_at timestamptz, agreed boolean, tenant_id bigint, user_id bigint, proved_at timestamptz,
         used_at timestamptz)`,
    ]),
}
