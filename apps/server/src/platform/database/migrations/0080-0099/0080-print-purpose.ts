import { run } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/** The purpose and copies of documents that the counter issued; null for orders of students. */
export const printPurposeMigration: Migration = {
  name: '0080-print-purpose',
  up: (db) =>
    run(db, [
      `alter table biz.print_order add column purpose text`,
      `alter table biz.print_order add column copies integer`,
      `comment on column biz.print_order.purpose is '用途'`,
      `comment on column biz.print_order.copies is '份数'`,
    ]),
}
