import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Facts about sessions that a person is shown, and when the person last proved who they are
 * (docs/rules/contract.md#sessions). The facts belong to a family of tokens and are carried from a
 * row to its successor. A session of an earlier version counts as proven when it began, and in use
 * since its last tokens.
 */
export const sessionFactsMigration: Migration = {
  name: '0050-session-facts',
  up: (db) =>
    run(db, [
      `alter table sys.session add column user_agent text, add column proof_by text,
         add column began_at timestamptz, add column used_at timestamptz, add column proved_at timestamptz,
         add column proof_hash text, add column proof_expires_at timestamptz`,
      `update sys.session as s set began_at = f.began, proved_at = f.began, used_at = s.create_time,
         proof_by = case s.kind when 'student' then 'sms' else 'password' end
       from (select tenant_id, family_id, min(create_time) as began from sys.session
         group by tenant_id, family_id) as f
       where f.tenant_id = s.tenant_id and f.family_id = s.family_id`,
    ]),
}
