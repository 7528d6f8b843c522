import { run } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/** The mark of the folder with the files of this database (docs/files.md). */
export const fileFolderMigration: Migration = {
  name: '0088-file-folder',
  up: (db) => run(db, [`create table sys.file_folder (id text primary key)`]),
}
