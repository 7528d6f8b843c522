import { afterAll, test } from 'vitest'
import { readServerSettings } from '../surfaces/server/settings.ts'
import { openServerRun, startOwnServer } from '../surfaces/server/walk/walk-server.ts'
import type { Conformance } from '../surfaces/server/conformance.ts'
import { chooseWalkOptions, walkTest, wantedMachines } from './walk.ts'
import { walkPart } from './walk-part.ts'

declare module 'vitest' {
  interface TaskMeta {
    conformance?: Conformance
  }
}

const elsewhere = readServerSettings(process.env)
const own = elsewhere === null ? await startOwnServer() : null
const settings = elsewhere ?? own?.settings
if (settings === undefined) throw new Error('no server')
afterAll(async () => {
  await own?.stop()
})

const run = openServerRun(settings)
for (const machine of wantedMachines()) {
  const parts = await run.partsOf(machine).catch((error: unknown) => {
    test(`${machine} · server`, () => {
      throw error
    })
    return {}
  })
  for (const [part, found] of Object.entries(parts)) {
    const options = chooseWalkOptions(machine, 'server', part)
    walkTest(options, () => walkPart(found, options))
  }
}
test('contract · server', async ({ task }) => {
  task.meta.conformance = await run.finish({
    sweep: wantedMachines().length > 1 && process.env.MBT_PATH === undefined,
  })
}, 300_000)
