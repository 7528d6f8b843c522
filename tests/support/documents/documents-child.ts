// A process that issues documents until it is killed. Each line of its output is a document that it
// has acknowledged: `order number sha256`.
import { cheapHash } from '../../../apps/server/testing/cheap-hash.ts'
import { hashPassword } from '../../../apps/server/src/identity/password.ts'
import type { Services } from '../../../apps/server/src/model/context.ts'
import { installBase } from '../../../apps/server/src/start/install/install-base.ts'
import { installDemo } from '../../../apps/server/src/start/demo/install-demo.ts'
import { issueDocument, readDocument } from '../../../apps/server/src/documents/index.ts'
import { createRegistry } from '../../../apps/server/src/model/definition/registry/registry.ts'
import { snowflake } from '../../../apps/server/src/platform/id.ts'
import { createMemory } from '../../../apps/server/src/platform/memory.ts'
import { createLog } from '../../../apps/server/src/platform/log.ts'
import { readSettings } from '../../../apps/server/src/platform/settings/settings.ts'
import { migrate } from '../../../apps/server/src/platform/database/migrations/migrate.ts'
import { migrations } from '../../../apps/server/src/platform/database/migrations/index.ts'
import { openDatabase } from '../../../apps/server/src/platform/database/open-database.ts'
import { smallSchool, testAuditKeys, testKeys } from '../../../apps/server/testing/app.ts'

const [dataDir = '', round = '0', mode = 'issue'] = process.argv.slice(2)
const settings = readSettings({
  APP_ENV: 'test',
  DATA_DIR: dataDir,
  PUBLIC_URL: 'http://127.0.0.1',
  LOG_LEVEL: 'silent',
})
const log = createLog(settings)
const database = await openDatabase(settings, log)
const now = () => new Date()
const services: Services = {
  database,
  settings,
  log,
  newId: snowflake(Number(round)),
  now,
  memory: createMemory(now),
  keys: testKeys,
  auditKeys: testAuditKeys,
  registry: createRegistry(database, log, { keys: testKeys }),
}
await migrate(database.kysely as never, migrations, log)
const installation = {
  database,
  keys: testKeys,
  newId: services.newId,
  now: services.now,
  adminPasswordHash: () => hashPassword('Jiaowu-tests-2026', cheapHash),
}
await installBase(installation)
await installDemo(installation, { size: smallSchool })

const students = smallSchool.students
const reports = ['2001', '2006', '2004', '2008']
/**
 * Every round uses the same order numbers for the same student and report, so that rounds repeat
 * each other's work; no two orders are for the same document.
 */
function planOrder(index: number) {
  return {
    tenant: '10000',
    studentId: String(4_000_001 + (index % students)),
    reportId: reports[(index + Math.floor(index / students)) % reports.length] ?? '2001',
    orderNo: `K${String(index).padStart(7, '0')}`,
  }
}
async function printDocumentLine(index: number) {
  const order = planOrder(index)
  const document = await issueDocument(services, order)
  await readDocument(services, document)
  process.stdout.write(`${order.orderNo} ${document.number} ${document.sha256}\n`)
}

process.stdout.write('ready\n')
const last = Number(process.argv[5] ?? students)
if (mode === 'issue') {
  const worker = async (from: number) => {
    for (let index = from; index < last; index += 4) await printDocumentLine(index)
  }
  await Promise.all([0, 1, 2, 3].map(worker))
} else {
  for (let index = 0; index < last; index += 1) await printDocumentLine(index)
}
process.stdout.write('done\n')
await database.close()
