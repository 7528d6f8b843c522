import pg from 'pg'
import { migrations } from '../../src/platform/database/migrations/index.ts'
import { spreadTables } from '../../src/platform/database/cluster/spread.ts'
import { migrate, migrationSeconds } from '../../src/platform/database/migrations/migrate.ts'
import { postgresPool } from '../../src/platform/database/pools.ts'
import { Kysely, PostgresDialect } from 'kysely'
import { allowStatements } from '../../src/platform/database/postgres/pool.ts'
import { type CitusCluster, createClusterDatabase } from '../postgres/citus-cluster.ts'
import { quietLog } from '../quiet-log.ts'
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
  await fillTemplateDatabase(url, async () => {})
}

/** The same with its tables spread over a cluster. */
export async function createSpreadTemplate(cluster: CitusCluster) {
  const { url } = cluster.coordinator
  await createClusterDatabase(cluster, templateDatabase)
  await fillTemplateDatabase(url, spreadTables)
  // Citus keeps a session in each database it may enter, and a template must have none.
  await administer(
    url,
    `alter database ${templateDatabase} with allow_connections false;
    select pg_terminate_backend(pid) from pg_stat_activity where datname = '${templateDatabase}'`,
  )
}

async function fillTemplateDatabase(
  url: string,
  finish: (db: Kysely<unknown>) => Promise<unknown>,
) {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: postgresPool(`${url}${templateDatabase}`, quietLog) }),
  })
  try {
    await migrate(db, migrations, quietLog)
    await allowStatements(migrationSeconds, () => finish(db))
  } finally {
    await db.destroy()
  }
}
