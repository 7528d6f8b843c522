import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { type Kept, launchBrowser, type Look, signInStaff, type Visitor, visit } from './browser.ts'
import { type RunningServer, startRealServer } from './server.ts'

type Env = Record<string, string>
interface Running {
  readonly server: RunningServer
  readonly browser: Browser
  readonly folder: string
}

/**
 * What the journeys of one file stand on: a real server (`envOf` says what is special about it), a real browser and a folder. Visitors are
 * gone after the test they came in, which fails if anything went wrong in their browsers.
 */
export function onStage(envOf: (folder: string) => Env | Promise<Env> = () => ({})) {
  let running: Running | null = null
  let here: Visitor[] = []
  const kept = new Map<string, Kept>()
  // Half a minute, the default, is short for a browser beside another busy test.
  vi.setConfig({ testTimeout: 90_000 })
  const now = (): Running => {
    if (running === null) throw new Error('server and browser start before the first test')
    return running
  }
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jiaowu-stage-'))
    const [server, browser] = await Promise.all([
      startRealServer(await envOf(folder)),
      launchBrowser(),
    ])
    running = { server, browser, folder }
  }, 120_000)
  afterEach(async () => {
    const left = here
    here = []
    for (const { context } of left) await context.close()
    expect(left.flatMap(({ faults }) => faults)).toEqual([])
  })
  afterAll(async () => {
    await running?.browser.close()
    await running?.server.stop()
    if (running !== null) await rm(running.folder, { recursive: true, force: true })
  })
  const enter = async (look: Look, state?: Kept): Promise<Visitor> => {
    const visitor = await visit(now().browser, look, state)
    here.push(visitor)
    return visitor
  }
  return {
    get server() {
      return now().server
    },
    get folder() {
      return now().folder
    },
    /** The address of a page by its hash route. */
    at: (path: string): string => `${now().server.url}/#${path}`,
    /** Somebody who was never here. */
    visit: (look: Look = {}): Promise<Visitor> => enter(look),
    /** Somebody of the staff in a browser of their own, signed in: by hand the first time, later by what that browser kept. Who signs out does so as one who was never here. */
    staff: async (account: string, path: string, look: Look = {}): Promise<Visitor> => {
      const state = kept.get(account)
      const visitor = await enter(look, state)
      if (state === undefined) {
        await signInStaff(visitor.page, now().server, account)
        kept.set(account, await visitor.context.storageState())
      }
      if (state !== undefined || path !== '/')
        await visitor.page.goto(`${now().server.url}/#${path}`)
      // Who goes on from home goes on once it is there, as a person does.
      if (path === '/') await visitor.page.locator('.jw-home').waitFor()
      return visitor
    },
  }
}
