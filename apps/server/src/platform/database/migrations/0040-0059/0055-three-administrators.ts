import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Whether a school has three administrators instead of one (docs/rules/security.md#three-administrators), and how
 * far each receiver of the audit log has got in each chain. `receiver` is the address or the path of the setting;
 * `held_by` the server that sends.
 */
export const threeAdministratorsMigration: Migration = {
  name: '0055-three-administrators',
  up: (db) =>
    run(db, [
      'alter table sys.tenant add column split_duties boolean not null default false',
      `create table sys.audit_delivery (tenant_id bigint not null, receiver text not null, number bigint not null,
        sent_at timestamptz, held_by text, held_until timestamptz, primary key (tenant_id, receiver))`,
    ]),
}
