import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** The scale of a course: no mark is above its full mark. */
export const courseScaleMigration: Migration = {
  name: '0039-course-scale',
  up: (db) =>
    run(db, [
      `alter table biz.course add column full_mark numeric(5,1) not null default 100`,
      `comment on column biz.course.full_mark is '满分'`,
    ]),
}
