// Sixteen writers, each row with its audit line: of one school, and of eight schools.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { buildJobContext } from '../apps/server/src/entities/jobs/job-rights.ts'
import type { Services } from '../apps/server/src/model/context.ts'
import { installBase } from '../apps/server/src/start/install/install-base.ts'
import { installTenant } from '../apps/server/src/start/install/install-tenant.ts'
import { createRegistry } from '../apps/server/src/model/definition/registry/registry.ts'
import { createRow } from '../apps/server/src/entities/write/write.ts'
import { createKeys } from '../apps/server/src/platform/keys/keys.ts'
import { createAuditKeys } from '../apps/server/src/platform/audit/keys.ts'
import { migrate } from '../apps/server/src/platform/database/migrations/migrate.ts'
import { migrations } from '../apps/server/src/platform/database/migrations/index.ts'
import type { openDatabase } from '../apps/server/src/platform/database/open-database.ts'
import { createMemory } from '../apps/server/src/platform/memory.ts'
import { snowflake } from '../apps/server/src/platform/id.ts'
import { readSettings } from '../apps/server/src/platform/settings/settings.ts'
import { type Line, perSecond, seconds, times } from './measure.ts'

const writers = 16
const rows = Number(process.env.AUDIT_ROWS ?? 2_000)
const schools = Array.from({ length: 8 }, (_none, at) => String(20_000 + at))
const keys = createKeys([randomBytes(32)])
const auditKeys = createAuditKeys([randomBytes(32)])
const log = pino({ level: 'silent' })

export async function benchAudit(
  database: Awaited<ReturnType<typeof openDatabase>>,
): Promise<Line[]> {
  await migrate(database.kysely as never, migrations, log)
  const now = () => new Date()
  const services: Services = {
    database,
    settings: readSettings(process.env),
    log,
    newId: snowflake(1),
    now,
    memory: createMemory(now),
    keys,
    auditKeys,
    registry: createRegistry(database, log, { keys }),
  }
  const installation = { ...services, adminPasswordHash: () => Promise.resolve('none') }
  await installBase(installation)
  for (const id of schools)
    await installTenant(database.kysely, services.newId, {
      id,
      code: id,
      name: id,
      adminPasswordHash: 'none',
      mustChangePassword: false,
    })
  await writeRows(services, schools, 200)
  const one = await writeRows(services, schools.slice(0, 1), rows)
  const eight = await writeRows(services, schools, rows)
  return [
    {
      what: `16 writers with audit lines, ${database.engine}`,
      ours: `${perSecond(rows, eight)} in 8 schools`,
      bare: `${perSecond(rows, one)} in 1 school`,
      ratio: times(one, eight),
      note: `${rows} rows`,
    },
  ]
}

async function writeRows(services: Services, tenants: readonly string[], count: number) {
  const contexts = await Promise.all(
    tenants.map(async (tenant_id) => {
      const admin = await services.database.kysely
        .selectFrom('sys.app_user')
        .select('id')
        .where('tenant_id', '=', tenant_id)
        .where('account', '=', 'admin')
        .executeTakeFirstOrThrow()
      const context = await buildJobContext(services, {
        user_id: admin.id,
        tenant_id,
        locale: 'en',
      } as never)
      return { context, entity: await services.registry.get(tenant_id, 'EDU_FACULTY') }
    }),
  )
  const base = Number(services.newId().slice(-9))
  let next = 0
  return seconds(() =>
    Promise.all(
      Array.from({ length: writers }, async (_none, writer) => {
        const place = contexts[writer % contexts.length]
        if (place === undefined) throw new Error('no school')
        while (next < count) {
          next += 1
          const code = `F${base + next}`
          await createRow(place.context, place.entity, { code, name: code })
        }
      }),
    ),
  )
}
