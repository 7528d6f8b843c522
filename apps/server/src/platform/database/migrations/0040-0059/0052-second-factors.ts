import type { Migration } from '../migrate.ts'
import { index, run, schoolTable } from '../columns.ts'

/**
 * Second factors of staff: TOTP secrets (encrypted), passkeys, recovery codes (hashed), sign-ins that
 * wait for a factor, browsers that need not be asked, and resets that one administrator has asked
 * for (docs/rules/security.md#s10). A role may demand a factor.
 */
export const secondFactorsMigration: Migration = {
  name: '0052-second-factors',
  up: (db) =>
    run(db, [
      `alter table sys.role add column needs_factor char(1) not null default '0'`,
      schoolTable(
        'sys.totp',
        'user_id',
        `user_id bigint not null, secret text not null, made_at timestamptz not null, confirmed_at timestamptz,
           last_step bigint`,
      ),
      schoolTable(
        'sys.passkey',
        'id',
        `id bigint not null, user_id bigint not null, credential_id text not null, public_key text not null,
           counter bigint not null, transports text[] not null, name text not null, made_at timestamptz not null,
           used_at timestamptz`,
      ),
      index('sys.passkey', 'user_id'),
      `create unique index sys_passkey_credential_id_key on sys.passkey (tenant_id, credential_id)`,
      schoolTable(
        'sys.passkey_challenge',
        'user_id',
        `user_id bigint not null, challenge text not null, expires_at timestamptz not null`,
      ),
      schoolTable(
        'sys.recovery_code',
        'user_id, code_hash',
        `user_id bigint not null, code_hash text not null, used_at timestamptz`,
      ),
      schoolTable(
        'sys.factor_step',
        'token_hash',
        `token_hash text not null, user_id bigint not null, proof_by text not null, provider text, subject text,
           network text not null, tries integer not null default 0, challenge text, expires_at timestamptz not null`,
      ),
      schoolTable(
        'sys.known_browser',
        'token_hash',
        `token_hash text not null, user_id bigint not null, password_stamp text not null,
           made_at timestamptz not null, expires_at timestamptz not null`,
      ),
      index('sys.known_browser', 'user_id'),
      schoolTable(
        'sys.factor_reset',
        'user_id',
        `user_id bigint not null, asked_by bigint not null, asked_at timestamptz not null,
           expires_at timestamptz not null`,
      ),
    ]),
}
