import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createClient } from '@jiaowu/api/client/client'
import type { Locale } from '@jiaowu/api/locale'
import { type App, createApp } from '../src/start/app.ts'
import type { Peer } from '../src/http/listener.ts'
import { hashPassword } from '../src/identity/password.ts'
import type { Services } from '../src/model/context.ts'
import { installBase } from '../src/start/install/install-base.ts'
import { installDemo } from '../src/start/demo/install-demo.ts'
import type { SchoolSize } from '../src/start/demo/fill-school.ts'
import { createAuditKeys } from '../src/platform/audit/keys.ts'
import { createKeys } from '../src/platform/keys/keys.ts'
import { idNumbers } from '../src/model/sealed/sealed-columns.ts'
import { createRegistry } from '../src/model/definition/registry/registry.ts'
import { createMemory } from '../src/platform/memory.ts'
import { snowflake } from '../src/platform/id.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import type { Database } from '../src/platform/database/open-database.ts'
import { cheapHash } from './cheap-hash.ts'
import { diskDatabase, testDatabase } from './database/database.ts'
import { quietLog } from './quiet-log.ts'

// A listener makes its own `Request` and `Response` global; tests without a port get the same globals.
getRequestListener(() => new Response())

export { reloadProviders } from '../src/platform/settings/reload-providers.ts'

export const testPassword = 'Jiaowu-tests-2026'
/** The ID number of a row of the student register; empty without one. */
export function idNumberOf({ keys }: Pick<Services, 'keys'>, stored: string | null): string {
  return stored === null ? '' : idNumbers(keys).open(stored)
}

/** The same in all databases of tests, because their contents are copied. */
export const testKeys = createKeys([Buffer.alloc(32, 7)])

export const testAuditKeys = createAuditKeys([Buffer.alloc(32, 8)])

/** Sizes of a school for tests. */
export const smallSchool: SchoolSize = {
  students: 96,
  courses: 30,
  teachers: 120,
  grades: 480,
  accounts: 3,
}

export interface TestApp extends App {
  readonly services: Services
  /** Moves the server's clock forward. */
  readonly advance: (ms: number) => void
  readonly client: (token: string, locale?: Locale) => Client<typeof contract>
  readonly signIn: (
    account: string,
    tenant?: string,
  ) => Promise<Client<typeof contract> & { readonly token: string; readonly refreshToken: string }>
  /** A request below /api without the client. */
  readonly call: (path: string, init?: RequestInit, peer?: Peer) => Promise<Response>
  readonly close: () => Promise<void>
}

const smallSchoolData = {
  name: 'small-school',
  fill: async (database: Database) => {
    const installation = {
      database,
      keys: testKeys,
      newId: snowflake(0),
      now: () => new Date(),
      adminPasswordHash: () => hashPassword(testPassword, cheapHash),
    }
    await installBase(installation)
    await installDemo(installation, { size: smallSchool })
  },
}

/**
 * The whole server in this process without a port, on a new database with a small school.
 * `inThread`: on the embedded engine of production, in its thread and on disk, which takes seconds.
 */
export async function testApp(
  env: Readonly<Record<string, string>> = {},
  { inThread = false } = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-app-'))
  const database = await (inThread
    ? diskDatabase(dataDir, smallSchoolData.fill)
    : testDatabase({ filled: smallSchoolData }))
  let shift = 0
  const now = () => new Date(Date.now() + shift)
  const newId = snowflake(1)
  const settings = readSettings({ APP_ENV: 'test', DATA_DIR: dataDir, ...env })
  const services: Services = {
    database,
    settings,
    log: quietLog as never,
    newId,
    now,
    memory: createMemory(now),
    keys: testKeys,
    auditKeys: testAuditKeys,
    registry: createRegistry(database, quietLog as never, {
      keys: testKeys,
      schemas: settings.businessSchemas,
    }),
  }
  const app = createApp({ services, state: { migrating: false, draining: false } })
  const call: TestApp['call'] = (path, init, peer) =>
    app.fetch(new Request(`http://jiaowu.test/api${path}`, init), peer)
  const client: TestApp['client'] = (token, locale = 'zh-CN') =>
    createClient({
      baseURL: 'http://jiaowu.test/api',
      locale: () => locale,
      fetch: (input, init) => app.fetch(new Request(input, init)),
      authorise: () =>
        Promise.resolve(token === '' ? undefined : { token, account: '', accountId: '' }),
    })
  return {
    ...app,
    services,
    call,
    client,
    advance: (ms) => {
      shift += ms
    },
    signIn: async (account, tenant) => {
      const { access_token, refresh_token } = await client('').session.signIn({
        body: {
          grant_type: 'password',
          username: account,
          password: testPassword,
          ...(tenant === undefined ? {} : { tenant }),
        },
      })
      return { ...client(access_token), token: access_token, refreshToken: refresh_token }
    },
    close: async () => {
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
