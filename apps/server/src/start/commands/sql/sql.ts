import { accessSync, closeSync, constants, createReadStream, openSync, readSync } from 'node:fs'
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import { type Kysely, sql } from 'kysely'
import { isSpread, spreadTables } from '../../../platform/database/cluster/spread.ts'
import { printSpread } from '../cluster.ts'
import { type Command, exit, print, UsageError, withServices } from '../command.ts'
import { readLines } from './lines.ts'
import { isMysqlScript, toUtf8 } from './mysql/recognise.ts'
import { runMysqlScript } from './mysql/run.ts'
import { runScript, type ScriptResult } from './run.ts'
import { ScriptError } from './script-error.ts'

/** A dump may take hours to load; the limit of a statement is for requests. */
const scriptSeconds = 24 * 3_600

/**
 * Runs an SQL file, such as tables for new entities, a plain pg_dump or a dump of MySQL, on the database
 * of the settings.
 */
export const sqlCommand: Command = {
  usage: 'FILE [--schema NAME]',
  help: 'run an SQL file, a plain pg_dump or a dump of MySQL in one transaction',
  options: { schema: { type: 'string' } },
  positionals: 1,
  run: async ({ positionals: [file = ''], options }) => {
    // A file that cannot be read is told before the database is opened.
    accessSync(file, constants.R_OK)
    const isMysql = isMysqlScript(readHead(file))
    const { schema } = options
    if (schema !== undefined && !isMysql)
      throw new UsageError('--schema is for scripts of MySQL; others name their schemas')
    const runFile = (trx: Kysely<unknown>, now: Date): Promise<ScriptResult> =>
      isMysql
        ? runMysqlScript(trx, toUtf8(createReadStream(file, { highWaterMark: 2 ** 20 })), {
            schema: typeof schema === 'string' ? schema : 'public',
            now,
          })
        : runScript(trx, readLines(file))
    return await withServices(async ({ database, settings, now }) => {
      const db = database.untyped
      const before = new Set(await tableNames(db))
      // One transaction, so that a failing file changes nothing.
      const result = await database
        .long(() => db.transaction().execute((trx) => runFile(trx, now())), scriptSeconds)
        .catch((error: unknown) => {
          throw error instanceof ScriptError
            ? new Error(`${file} ${error.message}; nothing was changed`, { cause: error })
            : error
        })
      for (const reason of result.passed) print(`${file} passed over, ${reason}`)
      print(`${file}: done, ${result.statements} statements, ${result.rows} copied rows`)
      printMade(
        (await tableNames(db)).filter((name) => !before.has(name)),
        settings.businessSchemas,
      )
      // Tables that are new on a cluster would stay on one node, where no spread table can join them.
      if (await isSpread(db))
        printSpread(await database.long(() => spreadTables(db), scriptSeconds))
      return exit.done
    })
  },
}

/** The first bytes of a file. */
function readHead(file: string): Uint8Array {
  const opened = openSync(file, 'r')
  try {
    const head = Buffer.alloc(2 ** 18)
    return head.subarray(0, readSync(opened, head))
  } finally {
    closeSync(opened)
  }
}

/** Tables and views of users, as `schema.table`. */
async function tableNames(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and n.nspname not in ('sys', 'information_schema') and n.nspname !~ '^pg_'
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

function printMade(made: readonly string[], schemas: readonly string[]): void {
  if (made.length === 0) return
  print(`made ${made.length} tables and views:`)
  for (const name of made) print(`  ${name}`)
  const outside = [...new Set(made.map((name) => name.split('.')[0] ?? ''))].filter(
    (schema) => !schemas.includes(schema),
  )
  if (outside.length > 0)
    print(
      `BUSINESS_SCHEMAS does not offer ${outside.join(', ')}; set it to ${[...schemas.filter((name) => name !== formSchema), ...outside].join(',')}`,
    )
  print(
    'To bring them in: 实体配置 → 引入数据库 in the console, or `npm run jiaowu -- design adopt` in the terminal.',
  )
}
