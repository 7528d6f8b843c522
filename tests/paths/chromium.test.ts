import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MachineName } from '../machines/registry.ts'
import { type BuiltApp, openBuiltApp } from './chromium/chromium-page.ts'

// Each transition of the smaller machines; `npm run paths -- --surface chromium` walks every edge
// of every machine.
const machines = [
  'lookup',
  'signIn',
  'smsCode',
  'notices',
  'printPreview',
] as const satisfies readonly MachineName[]

let app: BuiltApp
beforeAll(async () => {
  app = await openBuiltApp()
}, 120_000)
afterAll(() => app.close())

describe('the built app in Chromium', () => {
  test.each(machines)(
    'takes every transition: %s',
    async (machine) => {
      for (const part of await app.parts(machine)) {
        const { failures, walked } = await app.walk({
          machine,
          surface: 'chromium',
          part,
          limit: 600,
          every: 'transition',
          only: null,
          random: null,
        })
        expect(failures.slice(0, 2).join('\n\n')).toBe('')
        expect(walked).toBeGreaterThan(0)
      }
    },
    120_000,
  )
})
