import type { Migration } from '../migrate.ts'
import { index, reference, run, schoolTable } from '../columns.ts'

/**
 * Flows: the case of a row, the flow that it began with, decisions, and the people that are waited for
 * (docs/rules/contract.md#flows).
 */
export const flowsMigration: Migration = {
  name: '0059-flows',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.flow_revision',
        'id',
        `id bigint not null, tag text not null, digest text not null, flow jsonb not null,
         create_time timestamptz not null default now(), unique (tenant_id, tag, digest)`,
      ),
      schoolTable(
        'sys.flow_case',
        'id',
        `id bigint not null, tag text not null, table_name text not null, row_id text not null,
         applicant_id bigint, revision_id bigint not null, state text not null, is_done boolean not null,
         facts jsonb not null, version integer not null, since timestamptz not null,
         started_at timestamptz not null, unique (tenant_id, table_name, row_id),
         ${reference('revision_id', 'sys.flow_revision')}`,
      ),
      index('sys.flow_case', 'applicant_id'),
      schoolTable(
        'sys.flow_decision',
        'id',
        `id bigint not null, case_id bigint not null, at timestamptz not null, user_id bigint,
         event text not null, path text not null, from_state text not null, to_state text not null,
         note text, fields jsonb not null, ${reference('case_id', 'sys.flow_case')}`,
      ),
      index('sys.flow_decision', 'case_id'),
      index('sys.flow_decision', 'user_id'),
      schoolTable(
        'sys.flow_todo',
        'case_id, no',
        `case_id bigint not null, no integer not null, event text not null, path text not null,
         role text, org_id bigint, user_id bigint, person_tag text, person_id text,
         since timestamptz not null, ${reference('case_id', 'sys.flow_case')}`,
      ),
      index('sys.flow_todo', 'role'),
      index('sys.flow_todo', 'user_id'),
      index('sys.flow_todo', 'person_tag, person_id'),
    ]),
}
