import { reference, run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/** Writes that agents propose (docs/agents.md). */
export const agentProposalsMigration: Migration = {
  name: '0089-agent-proposals',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.agent_proposal',
        'id',
        `id bigint not null, user_id bigint not null, program_id bigint, agent text not null,
         kind text not null, tag text not null, act text not null, count integer not null,
         state text not null, create_time timestamptz not null, expires_at timestamptz not null,
         ended_at timestamptz, confirmed_by text,
         ${reference('user_id', 'sys.app_user')} on delete cascade`,
      ),
      `create index sys_agent_proposal_user_idx on sys.agent_proposal (tenant_id, user_id, id)`,
    ]),
}
