import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { migrationSeconds } from '../platform/database/migrate.ts'
import { type Command, exit, print, withServices } from './command.ts'

/** Runs an SQL file, such as tables for new entities, on the database of the settings. */
export const sqlCommand: Command = {
  usage: 'FILE',
  help: 'run an SQL file in one transaction',
  positionals: 1,
  run: async ({ positionals: [file = ''] }) => {
    const text = readFileSync(file, 'utf8')
    return await withServices(async ({ database }) => {
      // One transaction, so that a failing file changes nothing.
      await database.long(
        () => database.kysely.transaction().execute((trx) => sql.raw(text).execute(trx)),
        migrationSeconds,
      )
      print(`${file}: done`)
      return exit.done
    })
  },
}
