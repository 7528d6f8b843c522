import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MachineName } from '../machines/registry.ts'
import { type BuiltApp, openBuiltApp } from './chromium/chromium-page.ts'

// In every run of the tests each transition of the smaller machines; every edge of every machine is asked for: `npm run paths -- --surface chromium`.
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
