// `npm run sql -- file.sql`: runs an SQL file, such as tables for new entities, on the database of the
// settings. The server must not run on the same data directory.
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { readSettings } from '../platform/settings/settings.ts'
import { migrate } from '../platform/database/migrate.ts'
import { migrations } from '../platform/database/migrations/index.ts'
import { openDatabase } from '../platform/database/open-database.ts'

function fail(sentence: string, code: number): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(code)
}
function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const [file, ...rest] = process.argv.slice(2)
if (file === undefined || rest.length > 0) fail('usage: npm run sql -- file.sql', 2)

try {
  const text = readFileSync(file ?? '', 'utf8')
  const log = pino({ level: 'warn' }, pino.destination(2))
  const database = await openDatabase(readSettings(process.env), log)
  try {
    await migrate(database.kysely as never, migrations, log)
    // One transaction, so that a failing file changes nothing.
    await database.kysely.transaction().execute((trx) => sql.raw(text).execute(trx))
    process.stdout.write(`${file}: done\n`)
  } finally {
    await database.close()
  }
} catch (error) {
  fail(sentenceOf(error), 1)
}
