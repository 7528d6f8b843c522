import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** The menu entry for entering grades, below the list of grades of schools that have one. */
export const entryMenuMigration: Migration = {
  name: '0029-entry-menu',
  up: (db) =>
    run(db, [
      `insert into sys.menu (id, tenant_id, pid, name, name_en, path, icon, tag, sort)
       select (select max(id) from sys.menu) + row_number() over (order by m.tenant_id, m.id),
         m.tenant_id, m.pid, '成绩录入', 'Enter grades', '/entity/EDU_GRADE/entry', 'list', null,
         (select max(s.sort) from sys.menu s where s.tenant_id = m.tenant_id and s.pid = m.pid) + 1
       from sys.menu m where m.path = '/entity/EDU_GRADE/search' and m.deleted_at is null`,
    ]),
}
