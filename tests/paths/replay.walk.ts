// Repeats one path on one surface for `jiaowu machine replay`, which reads a line of JSON for each step, for each look
// at the surface, and for the result.
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { partsOn } from '../surfaces/registry.ts'
import { openBuiltApp } from './chromium/chromium-page.ts'
import { type Replay, replayPath, type Told } from './recipes/replay-path.ts'

const wanted = JSON.parse(process.env.PATHS_REPLAY ?? '{}') as Replay
const slow = Number(process.env.PATHS_SLOW ?? '0')

async function tell(told: Told): Promise<void> {
  // The reporter of the test run writes nothing, so that only these lines are on stdout.
  writeSync(1, `${JSON.stringify(told)}\n`)
  if (told.type === 'seen' && slow > 0) await pause(slow)
}

test('the path', async () => {
  await tell(await replay())
}, 3_600_000)

async function replay(): Promise<Told> {
  const { machine, part, surface } = wanted
  if (surface === 'chromium') {
    const app = await openBuiltApp({ isHeaded: process.env.PATHS_HEADED === '1' })
    try {
      return await app.replay(wanted, tell)
    } finally {
      await app.close()
    }
  }
  const found = (await partsOn(machine, surface))?.[part]
  return await replayPath(found, wanted, tell)
}
