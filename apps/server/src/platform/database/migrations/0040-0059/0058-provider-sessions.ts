import type { Migration } from '../migrate.ts'
import { index, run, schoolTable } from '../columns.ts'

/**
 * Links a session here to the session at a provider that it came from, so that the provider can end
 * it and a directory can be asked again; logout tokens that were used; and proofs that a terminal
 * asks a browser for (docs/rules/security.md#s6, #s8).
 */
export const providerSessionsMigration: Migration = {
  name: '0058-provider-sessions',
  up: (db) =>
    run(db, [
      `alter table sys.sso_attempt add column subject text, add column sid text`,
      `alter table sys.sso_session add column subject text, add column sid text`,
      index('sys.sso_session', 'provider, subject'),
      schoolTable(
        'sys.sso_logout',
        'provider, jti_hash',
        `provider text not null, jti_hash text not null, expires_at timestamptz not null`,
      ),
      `alter table sys.device_code add column family_id bigint`,
      `alter table sys.session add column proof_made_at timestamptz`,
    ]),
}
