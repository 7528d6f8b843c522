import { index, reference, run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/**
 * Tasks of flows that are handed over, shared, or decided by substitutes, and copies of cases
 * (docs/rules/contract.md#flows).
 */
export const flowHandsMigration: Migration = {
  name: '0070-flow-hands',
  up: (db) =>
    run(db, [
      `alter table sys.flow_decision add column for_id bigint, add column to_id bigint, add column to_role text`,
      schoolTable(
        'sys.flow_delegation',
        'id',
        `id bigint not null, user_id bigint not null, substitute_id bigint not null, starts_on date not null,
         ends_on date not null, tags jsonb not null, note text, create_time timestamptz not null,
         ended_at timestamptz`,
      ),
      index('sys.flow_delegation', 'substitute_id'),
      index('sys.flow_delegation', 'user_id'),
      schoolTable(
        'sys.flow_copy',
        'id',
        `id bigint not null, case_id bigint not null, user_id bigint not null, by_id bigint, note text,
         at timestamptz not null, read_at timestamptz, unique (tenant_id, case_id, user_id),
         ${reference('case_id', 'sys.flow_case')}`,
      ),
      index('sys.flow_copy', 'user_id'),
    ]),
}
