import { afterAll, describe, expect, test, vi } from 'vitest'
import { terminalScreens } from '../surfaces/terminal/screens.ts'
import { walkPart } from './walk-part.ts'

// A plausible bug: the key that resumes a paused import is listed and does nothing.
vi.mock(import('../../apps/cli/src/screens/ui.tsx'), async (original) => {
  const real = await original()
  return {
    ...real,
    offer: (possible, key, label, run) =>
      real.offer(possible, key, label, label === '继续' ? () => {} : run),
  }
})

// The tests that follow share the modules of this worker: they must not get the bug.
afterAll(() => {
  vi.doUnmock(import('../../apps/cli/src/screens/ui.tsx'))
  vi.resetModules()
})

describe('a terminal on which a paused import cannot be resumed', () => {
  test('is noticed, with a reproducible recipe and the frame', async () => {
    const part = (await terminalScreens.transfer?.())?.resuming
    if (part === undefined) throw new Error('the concern of going on is gone')
    const {
      failures: [recipe = ''],
      pictures: [picture],
    } = await walkPart(part, {
      machine: 'transfer',
      surface: 'terminal',
      part: 'resuming',
      limit: 600,
      every: 'transition',
      only: null,
      random: null,
    })
    console.log(`${recipe}\n${picture?.data ?? ''}`)
    const lines = recipe.split('\n')
    expect(lines[0]).toMatch(
      /^transfer transitions-\w+(?: \(shortened\))? failed at step \d+ of \d+$/,
    )
    expect(lines.find((line) => line.startsWith('✗'))).toMatch(/^✗ \d+\. 👆 job\.resume$/)
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}says: model "", screen "任务已暂停"$/))
    expect(lines.at(-1)).toMatch(/^reproduce: MBT_PATH='.* \| user:job\.resume'$/)
    expect(picture).toMatchObject({
      kind: 'text',
      data: expect.stringContaining('enter 继续') as string,
    })
  }, 120_000)
})
