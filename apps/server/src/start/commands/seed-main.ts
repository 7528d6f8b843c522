// `npm run seed -- --students 1000000`: fills the database of the settings with a large school. The server
// must not run on the same data directory.
import { parseArgs } from 'node:util'
import { defaultTenant } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { pino } from 'pino'
import { hashPassword } from '../../identity/password.ts'
import { buildCourses, fillStudents } from '../demo/fill-school.ts'
import { openKeys } from '../../platform/keys/open-keys.ts'
import { idNumbers } from '../../model/sealed/sealed-columns.ts'
import { installBase } from '../install/install-base.ts'
import { demoSize, installDemo } from '../demo/install-demo.ts'
import { snowflake } from '../../platform/id.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { migrate } from '../../platform/database/migrations/migrate.ts'
import { migrations } from '../../platform/database/migrations/index.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { inStartTurn } from '../../platform/database/start-turn.ts'

const { values } = parseArgs({
  options: {
    students: { type: 'string', default: String(demoSize.students) },
    'grades-each': { type: 'string', default: '20' },
  },
})
const [students, each] = [Number(values.students), Number(values['grades-each'])]
if (
  !Number.isInteger(students) ||
  students < 1 ||
  students > 3_000_000 ||
  !Number.isInteger(each) ||
  each < 0 ||
  each > 40
) {
  process.stderr.write('usage: npm run seed -- --students 1..3000000 [--grades-each 0..40]\n')
  process.exit(2)
}

const settings = readSettings(process.env)
const log = pino({ level: 'warn' }, pino.destination(2))
const database = await openDatabase(settings, log)
try {
  const { kysely } = database
  const keys = await inStartTurn(database, log, async () => {
    await migrate(database.untyped, migrations, log)
    const opened = await openKeys({ database, settings })
    const installation = {
      database,
      keys: opened,
      newId: snowflake(1),
      now: () => new Date(),
      adminPasswordHash: () => hashPassword(settings.adminPassword ?? crypto.randomUUID()),
    }
    await installBase(installation)
    await installDemo(installation)
    return opened
  })
  const admin = await kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', defaultTenant)
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  const orgs = await kysely
    .selectFrom('sys.org')
    .select(['code', 'id'])
    .where('tenant_id', '=', defaultTenant)
    .where('code', 'like', 'F%')
    .execute()
  // Generated students have ids in this range; students added by users are not counted.
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from biz.student
    where tenant_id = ${defaultTenant}::bigint and id between 4000001 and 10000000`.execute(kysely)
  const started = Date.now()
  const report = (done: number) => {
    if (done % 10_000 === 0 || done === students)
      process.stderr.write(
        `\r${done} / ${students} students, ${Math.round((Date.now() - started) / 1000)} s `,
      )
  }
  const place = {
    tenant: defaultTenant,
    base: 0,
    createUser: admin.id,
    idNumbers: idNumbers(keys),
    orgOf: new Map(orgs.map(({ code, id }) => [code.slice(1), id])),
  }
  await fillStudents(
    kysely,
    place,
    {
      from: Number(rows[0]?.n ?? 0),
      to: students,
      each,
      accounts: demoSize.accounts,
      courses: buildCourses(0, demoSize.courses),
    },
    report,
  )
  await database.maintain()
  process.stderr.write('\n')
} finally {
  await database.close()
}
