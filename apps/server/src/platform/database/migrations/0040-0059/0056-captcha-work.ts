import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** The proof of work for an answer to a captcha, with its key (docs/rules/security.md#h1); null: none. */
export const captchaWorkMigration: Migration = {
  name: '0056-captcha-work',
  up: (db) => run(db, [`alter table sys.captcha add column work text`]),
}
