import { run } from '../columns.ts'
import { addMenuLeaf } from '../menu-leaf.ts'
import type { Migration } from '../migrate.ts'

/** Jobs keep the id of the call that started them, and administrators get a page of all jobs. */
export const watchedJobsMigration: Migration = {
  name: '0078-watched-jobs',
  up: async (db) => {
    await run(db, ['alter table sys.job add column trace_id text'])
    await addMenuLeaf(db, {
      name: '后台任务',
      nameEn: 'Jobs',
      path: '/jobs',
      icon: 'automatic-updates',
      beside: ['SYS_LOG', 'SYS_MESSAGE', 'SYS_NOTICE'],
    })
  },
}
