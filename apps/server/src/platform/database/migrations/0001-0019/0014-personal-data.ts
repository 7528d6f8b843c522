import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Room for encrypted ID numbers and their blind index, and the keys in use. SQL cannot encrypt: a
 * step of the start converts the rows (start/keys/convert.ts), so ID numbers are plain until it has run.
 */
export const personalDataMigration: Migration = {
  name: '0014-personal-data',
  up: (db) =>
    run(db, [
      'alter table biz.student alter column id_card type text',
      'alter table biz.student add column id_card_index text',
      'drop index biz.biz_student_id_card_key',
      `create unique index biz_student_id_card_key on biz.student (tenant_id, id_card_index)
        where deleted_at is null`,
      `comment on column biz.student.id_card_index is '身份证号索引'`,
      `create table sys.pii_key (id text primary key, check_value text not null,
        converted boolean not null default false, created_at timestamptz not null default now())`,
    ]),
}
