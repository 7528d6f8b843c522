import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** When the password of an account was last set. Passwords of earlier versions count from the migration on. */
export const passwordAgeMigration: Migration = {
  name: '0044-password-age',
  up: (db) =>
    run(db, [
      `alter table sys.app_user add column password_changed_at timestamptz not null default now()`,
    ]),
}
