import type { Migration } from '../migrate.ts'
import { live, run } from './columns.ts'

/** What a list of students is narrowed by, each in the order the list has by itself: a page of a filter reads its 20 rows, and its count only the index. */
const filters = ['status', 'enrol_year', 'faculty_id', 'major_id', 'class_id']
const replaced = ['status_id', 'enrol_year_id', 'faculty_id', 'major_id', 'class_id']

export const listOrderMigration: Migration = {
  name: '0011-list-order',
  up: async (db) => {
    await run(db, [
      ...replaced.map((name) => `drop index if exists biz.biz_student_${name}_idx`),
      ...filters.map((column) => live('biz.student', `${column}, student_no, id`)),
      // Grades come newest first, also within a filter (PostgreSQL reads an index backwards).
      ...['passed_id', 'faculty_id', 'student_id', 'course_id'].map(
        (name) => `drop index if exists biz.biz_grade_${name}_idx`,
      ),
      ...['passed', 'faculty_id', 'student_id', 'course_id'].map((column) =>
        live('biz.grade', `${column}, id`),
      ),
    ])
  },
}
