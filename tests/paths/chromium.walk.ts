import { afterAll } from 'vitest'
import { openBuiltApp } from './chromium/chromium-page.ts'
import { chooseWalkOptions, walkTest, wantedMachines } from './walk.ts'

const app = await openBuiltApp()
afterAll(() => app.close())

for (const machine of wantedMachines())
  for (const part of await app.parts(machine)) {
    const options = chooseWalkOptions(machine, 'chromium', part)
    walkTest(options, () => app.walk(options))
  }
