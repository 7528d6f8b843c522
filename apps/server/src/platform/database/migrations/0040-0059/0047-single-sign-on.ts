import type { Migration } from '../migrate.ts'
import { index, run, schoolTable } from '../columns.ts'

/**
 * Sign-ins under way at identity providers, and the sessions that came of them (docs/rules/security.md#s8).
 * States, codes and browsers are kept as hashes, ID tokens encrypted.
 */
export const singleSignOnMigration: Migration = {
  name: '0047-single-sign-on',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.sso_attempt',
        'state_hash',
        `state_hash text not null, provider text not null, browser_hash text not null,
         redirect text not null, family_id bigint, begun_at timestamptz not null,
         expires_at timestamptz not null, used_at timestamptz, user_id bigint, proved_at timestamptz,
         id_token text, code_hash text, code_expires_at timestamptz, code_used_at timestamptz`,
      ),
      index('sys.sso_attempt', 'code_hash'),
      schoolTable(
        'sys.sso_session',
        'family_id',
        `family_id bigint not null, provider text not null, id_token text,
         created_at timestamptz not null`,
      ),
    ]),
}
