import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { isSpread, spreadTables } from '../platform/database/cluster/spread.ts'
import { migrationSeconds } from '../platform/database/migrate.ts'
import { printSpread } from './cluster.ts'
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
      // Tables that are new on a cluster would stay on one node, where no spread table can join them.
      const db = database.kysely as unknown as Kysely<unknown>
      if (await isSpread(db))
        printSpread(await database.long(() => spreadTables(db), migrationSeconds))
      return exit.done
    })
  },
}
