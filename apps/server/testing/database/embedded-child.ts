// Opens the embedded database in a process that tests kill: `node embedded-child.ts hold|write DATA_DIR`.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { transact } from '../../src/platform/database/transact.ts'
import { quietLog } from '../quiet-log.ts'

const [mode, dataDir = ''] = process.argv.slice(2)
const printChildLine = (line: string) => process.stdout.write(`${line}\n`)

async function writeOrders(db: Kysely<unknown>) {
  await sql`create table if not exists orders (id int8 primary key)`.execute(db)
  await sql`create table if not exists payments (
    order_id int8 primary key references orders, amount int4 not null)`.execute(db)
  await sql`create table if not exists counter (total int8 not null)`.execute(db)
  await sql`insert into counter select 0 where not exists (select from counter)`.execute(db)
  const { rows } = await sql<{ id: string }>`select coalesce(max(id), 0) as id from orders`.execute(
    db,
  )
  for (let id = Number(rows[0]?.id) + 1; ; id += 1) {
    await transact(db, async (trx) => {
      await sql`insert into orders values (${id})`.execute(trx)
      await sql`insert into payments values (${id}, 1)`.execute(trx)
      await sql`update counter set total = total + 1`.execute(trx)
    })
    printChildLine(`done ${id}`)
  }
}

try {
  const database = await openDatabase({ dataDir }, quietLog)
  printChildLine('open')
  if (mode === 'write') await writeOrders(database.kysely as unknown as Kysely<unknown>)
  else setInterval(() => {}, 60_000)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
