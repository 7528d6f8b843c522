import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchedEnvironment } from '../../apps/server/testing/statements/offences.ts'
import {
  copyOfBase,
  freePort,
  password,
  type RunningServer,
  startRealServer,
} from '../support/server.ts'
import { serverCommand } from '../support/server-command.ts'
import { nodeFlags } from '../support/node-flags.ts'

const root = join(import.meta.dirname, '..', '..')
let folder: string
let server: RunningServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-start-'))
  await copyOfBase(join(folder, 'main'))
  await copyOfBase(join(folder, 'stopping'))
  server = await startRealServer({ DEMO: '0', DATA_DIR: join(folder, 'main') })
}, 180_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

function begin(env: Record<string, string>): {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
} {
  const child = spawn(process.execPath, [...nodeFlags, 'apps/server/src/start/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      APP_ENV: 'test',
      LOG_LEVEL: 'silent',
      DEMO: '0',
      ...watchedEnvironment(),
      ...env,
    },
  })
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  return { child, stdout: () => out, stderr: () => err }
}
/** Waits as long as the test may last: how long a start takes is measured elsewhere. */
async function waitForReady(child: ChildProcess, ready: () => boolean): Promise<void> {
  while (!ready()) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`the server ended (${end}) before it was ready`)
    await sleep(100)
  }
}
async function ends(env: Record<string, string>) {
  const { child, stderr } = begin(env)
  const [code] = (await once(child, 'exit')) as [number]
  return { code, message: stderr().trim() }
}
function signInWithSecret(url: string, secret: string) {
  return fetch(`${url}/api/authority/anno/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: secret }),
  })
}

describe('a failing start', () => {
  it.each([
    [{ PORT: 'seven' }, 'PORT must be a whole number from 0 to 65535.'],
    [
      {
        APP_ENV: 'production',
        SMS_DRIVER: 'aliyun',
        SMS_KEY_ID: 'a',
        SMS_KEY_SECRET: 'b',
        SMS_SIGN_NAME: 'c',
        SMS_TEMPLATE_LOGIN: 'd',
        SMS_TEMPLATE_REGISTER: 'e',
        PAY_DRIVER: 'wechat',
        WECHAT_MCHID: '1',
        WECHAT_APPID: 'w',
        WECHAT_SERIAL: 's',
        WECHAT_KEY_FILE: 'k',
        WECHAT_APIV3_KEY: 'x'.repeat(32),
        ALLOW_PGLITE_PAY: '1',
        PUBLIC_URL: 'https://jw.example.edu.cn',
        ADMIN_PASSWORD: 'admin123',
      },
      'ADMIN_PASSWORD must have at least 8 characters and not be a common password when APP_ENV is production.',
    ],
  ])('with %o prints one sentence', async (env, sentence) => {
    const data = join(folder, 'never')
    expect(await ends({ DATA_DIR: data, ...env } as Record<string, string>)).toEqual({
      code: 1,
      message: sentence,
    })
    expect(existsSync(data)).toBe(false)
  })
  it('on a database that stays away waits, says so, and prints one sentence', async () => {
    const port = await freePort()
    const { child, stderr } = begin({
      DATA_DIR: join(folder, 'away'),
      DATABASE_URL: `postgres://127.0.0.1:${port}/jw`,
      DATABASE_WAIT: '1',
      LOG_LEVEL: 'warn',
    })
    const [code] = (await once(child, 'exit')) as [number]
    const [line = '', sentence, ...more] = stderr().trim().split('\n')
    expect(JSON.parse(line)).toMatchObject({
      server: `127.0.0.1:${port}`,
      msg: 'the database does not answer; the start waits 1 s for it (DATABASE_WAIT)',
    })
    expect([code, sentence, more]).toEqual([
      1,
      `DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port} ` +
        '(waited 1 s, DATABASE_WAIT).',
      [],
    ])
  })
  it('on a folder in use ends at once, and the first server continues', async () => {
    const { code, message } = await ends({ DATA_DIR: server.dataDir, PORT: '0' })
    expect([code, message]).toEqual([
      1,
      `Another server is already running on ${server.dataDir}: stop it first, ` +
        'or give this one its own folder with DATA_DIR.',
    ])
    expect((await signInWithSecret(server.url, password)).status).toBe(200)
  })
  it('on a port in use ends before any write to the database', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1')
    await once(otherServer, 'listening')
    const { port } = otherServer.address() as { port: number }
    const data = join(folder, 'taken')
    const { child, stdout, stderr } = begin({ PORT: String(port), DATA_DIR: data })
    const [code] = (await once(child, 'exit')) as [number]
    otherServer.close()
    expect([code, stderr().trim()]).toEqual([
      1,
      `Port ${port} is in use: stop the other program or set PORT.`,
    ])
    expect(stdout()).not.toContain('tables')
  })
})

describe('a first start', () => {
  it('prints its progress, address and password; a second start prints only the address', async () => {
    const [data, port] = [join(folder, 'fresh'), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const run = async (env: Record<string, string> = {}) => {
      const { child, stdout } = begin({ DATA_DIR: data, PORT: String(port), ...env })
      await waitForReady(child, () => stdout().includes('SMS outbox'))
      return {
        output: stdout(),
        stop: async () => {
          child.kill('SIGTERM')
          const [code] = (await once(child, 'exit')) as [number]
          return code
        },
      }
    }
    const first = await run()
    expect(first.output).toContain('First start: making the database')
    expect(first.output).toContain(url)
    expect(first.output).toContain(join(data, 'outbox', 'sms.jsonl'))
    const secret = /password (\S{16,})/.exec(first.output)?.[1] ?? ''
    expect((await signInWithSecret(url, secret)).status).toBe(200)
    expect((await signInWithSecret(url, 'admin')).status).toBe(400)
    expect(await first.stop()).toBe(0)
    const { status, stdout } = serverCommand(['admin', 'reset'], { DATA_DIR: data })
    expect(status).toBe(0)
    const another = /password (\S{16,})/.exec(stdout)?.[1] ?? ''
    const second = await run({ ADMIN_PASSWORD: secret })
    expect(second.output).not.toMatch(/password|First start|tables/)
    expect(second.output).toContain('ADMIN_PASSWORD counts at the first start only')
    expect((await signInWithSecret(url, secret)).status).toBe(400)
    const signedIn = await signInWithSecret(url, another)
    expect(await signedIn.json()).toMatchObject({ userInfo: { mustChangePassword: true } })
    expect(await second.stop()).toBe(0)
  }, 180_000)
})

/** Stands for a bug: with this signal a promise is rejected that nothing awaits. */
const fault = `process.on('SIGUSR2', () => void Promise.reject(new Error('a bug')))`

describe('a stop', () => {
  async function start(env: Record<string, string> = {}) {
    const [data, port] = [join(folder, 'stopping'), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const started = begin({
      DATA_DIR: data,
      PORT: String(port),
      ADMIN_PASSWORD: password,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
      ...env,
    })
    await waitForReady(started.child, () => started.stdout().includes('SMS outbox'))
    const { access_token: token } = (await (await signInWithSecret(url, password)).json()) as {
      access_token: string
    }
    return { ...started, data, port, url, token }
  }

  /** Eight callers without a pause, until `isOver`. */
  function callers({ url, token }: { url: string; token: string }, isOver: () => boolean) {
    const answered: number[] = []
    const failures: unknown[] = []
    const caller = async () => {
      while (!isOver()) {
        const status = await fetch(`${url}/api/entity/SYS_DICT_ITEM/data/page`, {
          method: 'POST',
          headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
          body: '{"pageSize":100}',
        }).then(
          async (response) => {
            await response.text()
            return response.status
          },
          (error: unknown) => {
            failures.push((error as { cause?: { code?: unknown } }).cause?.code ?? error)
            return 0
          },
        )
        if (status !== 0) answered.push(status)
        if (status === 0 || status === 503) return
      }
    }
    return { answered, failures, done: Promise.all(Array.from({ length: 8 }, caller)) }
  }

  it('by SIGTERM fails no call of a balancer that asks for /health/ready, and finishes what runs', async () => {
    const server = await start({ LAME_DUCK: '2' })
    const { child, url, port, token } = server
    let isDraining = false
    const { answered, failures, done } = callers(server, () => isDraining)
    await waitForReady(child, () => answered.length > 40)
    // A request whose body arrives only after the port is closed.
    const slow = connect(port, '127.0.0.1')
    const reply = new Promise<string>((resolve, reject) => {
      let text = ''
      slow.on('data', (bytes: Buffer) => {
        text += bytes.toString()
      })
      slow.once('close', () => resolve(text))
      slow.once('error', reject)
    })
    slow.write(
      'POST /api/entity/SYS_DICT_ITEM/data/page HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\n' +
        `authorization: bearer ${token}\r\ncontent-length: 16\r\n\r\n{"pageS`,
    )
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    while (!isDraining) {
      const ready = await fetch(`${url}/health/ready`)
      isDraining = ready.status === 503
      if (isDraining) expect(ready.headers.get('connection')).toBe('close')
    }
    await done
    expect(answered.filter((status) => ![200, 429].includes(status))).toEqual([])
    expect(failures).toEqual([])
    // Whoever comes late is served as well, until nobody is let in any more.
    const late = () =>
      fetch(`${url}/api/openapi.json`).then(
        ({ status }) => status,
        (error: { cause?: { code?: unknown } }) => error.cause?.code,
      )
    expect(await late()).toBe(200)
    await expect.poll(late, { timeout: 30_000 }).toBe('ECONNREFUSED')
    slow.write('ize":100}')
    expect((await reply).slice(0, 12)).toBe('HTTP/1.1 200')
    const code = child.exitCode ?? ((await once(child, 'exit')) as [number])[0]
    expect(code).toBe(0)
  }, 90_000)

  it('by a fault answers requests in flight, refuses new ones, and exits with 1', async () => {
    const server = await start()
    const { child, data, stderr } = server
    let over = false
    const { answered, failures, done } = callers(server, () => over)
    await waitForReady(child, () => answered.length > 40)
    child.kill('SIGUSR2')
    const [code] = (await once(child, 'exit')) as [number]
    over = true
    await done
    expect(code).toBe(1)
    expect(stderr()).toContain('a bug')
    expect(answered.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    // New connections may be refused, but no open one may be cut off.
    expect(failures.filter((each) => each !== 'ECONNREFUSED')).toEqual([])
    expect(await readFile(join(data, 'pg18', 'PG_VERSION'), 'utf8')).toMatch(/^18/)
  }, 90_000)

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'follows when npm is ended by %s, which tells nobody',
    async (signal) => {
      const [data, port] = [join(folder, 'stopping'), await freePort()]
      const command = [process.execPath, ...nodeFlags, 'apps/server/src/start/main.ts'].join(' ')
      // Like npm: a process with a shell that runs the script.
      const npm = spawn(
        process.execPath,
        ['-e', `require('node:child_process').spawn('sh', ['-c', '${command}; true'])`],
        {
          cwd: root,
          stdio: 'ignore',
          env: {
            PATH: process.env.PATH ?? '',
            APP_ENV: 'test',
            DEMO: '0',
            LOG_LEVEL: 'silent',
            DATA_DIR: data,
            PORT: String(port),
            npm_lifecycle_event: 'start',
          },
        },
      )
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/health/ready`).then(
          ({ status }) => status,
          () => 'gone',
        )
      await expect.poll(ready, { timeout: 60_000 }).toBe(200)
      npm.kill(signal)
      await expect.poll(ready, { timeout: 20_000 }).toBe('gone')
    },
    90_000,
  )
})
