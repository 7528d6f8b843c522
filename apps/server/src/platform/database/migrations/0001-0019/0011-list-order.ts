import type { Migration } from '../migrate.ts'
import { liveIndex, run } from '../columns.ts'

/**
 * Indexes of the student list's usual filters in the list's default order: a filtered page reads
 * only its 20 rows, and its count only the index.
 */
const filters = ['status', 'enrol_year', 'faculty_id', 'major_id', 'class_id']
const replaced = ['status_id', 'enrol_year_id', 'faculty_id', 'major_id', 'class_id']

export const listOrderMigration: Migration = {
  name: '0011-list-order',
  up: async (db) => {
    await run(db, [
      ...replaced.map((name) => `drop index if exists biz.biz_student_${name}_idx`),
      ...filters.map((column) => liveIndex('biz.student', `${column}, student_no, id`)),
      // Grades are listed newest first; PostgreSQL reads these indexes backwards.
      ...['passed_id', 'faculty_id', 'student_id', 'course_id'].map(
        (name) => `drop index if exists biz.biz_grade_${name}_idx`,
      ),
      ...['passed', 'faculty_id', 'student_id', 'course_id'].map((column) =>
        liveIndex('biz.grade', `${column}, id`),
      ),
    ])
  },
}
