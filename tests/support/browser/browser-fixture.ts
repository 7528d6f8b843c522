import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import {
  type StorageState,
  launchBrowser,
  type BrowserOptions,
  signInStaff,
  type Visitor,
  visit,
} from './browser.ts'
import { type RunningServer, startRealServer } from '../server.ts'

type Env = Record<string, string>
interface Running {
  readonly server: RunningServer
  readonly browser: Browser
  readonly folder: string
}

/**
 * Starts a real server (with the variables of `envOf`), a real browser and a folder for the journeys of
 * one file. Browser contexts are closed after each test, which fails on any error in their pages.
 */
export function browserFixture(envOf: (folder: string) => Env | Promise<Env> = () => ({})) {
  let running: Running | null = null
  let open: Visitor[] = []
  const states = new Map<string, StorageState>()
  // The default of half a minute is short for a browser beside another busy test.
  vi.setConfig({ testTimeout: 90_000 })
  const now = (): Running => {
    if (running === null) throw new Error('server and browser start before the first test')
    return running
  }
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jiaowu-browser-'))
    const [server, browser] = await Promise.all([
      startRealServer(await envOf(folder)),
      launchBrowser(),
    ])
    running = { server, browser, folder }
  }, 120_000)
  afterEach(async () => {
    const closing = open
    open = []
    for (const { context } of closing) await context.close()
    expect(closing.flatMap(({ faults }) => faults)).toEqual([])
  })
  afterAll(async () => {
    await running?.browser.close()
    await running?.server.stop()
    if (running !== null) await rm(running.folder, { recursive: true, force: true })
  })
  const enter = async (options: BrowserOptions, state?: StorageState): Promise<Visitor> => {
    const visitor = await visit(now().browser, options, state)
    open.push(visitor)
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
    /** A new browser context without stored state. */
    visit: (options: BrowserOptions = {}): Promise<Visitor> => enter(options),
    /**
     * A signed-in staff user in a new browser context. The first call per account signs in; later ones
     * reuse the stored state. Tests that sign out must use `visit`.
     */
    staff: async (
      account: string,
      path: string,
      options: BrowserOptions = {},
    ): Promise<Visitor> => {
      const state = states.get(account)
      const visitor = await enter(options, state)
      if (state === undefined) {
        await signInStaff(visitor.page, now().server, account)
        states.set(account, await visitor.context.storageState())
      }
      if (state !== undefined || path !== '/')
        await visitor.page.goto(`${now().server.url}/#${path}`)
      // Wait for the home page before the test continues.
      if (path === '/') await visitor.page.locator('.jw-home').waitFor()
      return visitor
    },
  }
}
