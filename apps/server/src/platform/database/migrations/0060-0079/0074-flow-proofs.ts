import { run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/**
 * The last proof of a school's flows, and the task to prove them again (docs/rules/contract.md#flows): one row a
 * school, with the school's id.
 */
export const flowProofsMigration: Migration = {
  name: '0074-flow-proofs',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.flow_proof',
        'id',
        `id bigint not null, findings jsonb not null default '[]', next_at timestamptz not null,
         leased_until timestamptz, attempts integer not null default 0, done_at timestamptz, failure text`,
      ),
      `create index sys_flow_proof_due_idx on sys.flow_proof (next_at) where done_at is null`,
    ]),
}
