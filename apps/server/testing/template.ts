import pg from 'pg'
import { migrations } from '../src/platform/database/migrations/index.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { postgresPool } from '../src/platform/database/pools.ts'
import { Kysely, PostgresDialect } from 'kysely'
import { quietLog } from './quiet-log.ts'
import { templateDatabase } from './store.ts'

export async function administer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: `${url}postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a migrated database that test files copy. */
export async function createTemplate(url: string) {
  await administer(url, `create database ${templateDatabase}`)
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: postgresPool(`${url}${templateDatabase}`, quietLog) }),
  })
  try {
    await migrate(db, migrations, quietLog)
  } finally {
    await db.destroy()
  }
}
