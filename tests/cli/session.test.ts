import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commandAt, type Jiaowu } from './command.ts'

// A strict server: a second use of a refresh token ends the session at once (the real server
// tolerates it for ten seconds).
let server: Server
let url = ''
let home: string
let jiaowu: Jiaowu
let current = 1
let refreshes = 0
const user = {
  id: '7',
  account: 'a',
  name: '甲',
  roles: [],
  mustChangePassword: false,
  tenant: '10000',
  org: null,
}
async function readFormBody(request: IncomingMessage) {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return new URLSearchParams(Buffer.concat(parts).toString())
}
function tokens() {
  return {
    access_token: `t${current}`,
    refresh_token: `r${current}`,
    expires_in: 1800,
    token_type: 'bearer',
    userInfo: user,
  }
}

async function answerRequest(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const ok = (data: unknown) => ({
    status: 200,
    body: { success: true, code: 200, msg: '', traceId: 't', data },
  })
  const ended = {
    status: 401,
    body: { success: false, code: 40008, msg: '登录已失效', traceId: 't', data: null },
  }
  if (request.url?.includes('/anno/login') === true) {
    const body = await readFormBody(request)
    if (body.get('grant_type') === 'password') {
      current += 1
      return ok(tokens())
    }
    refreshes += 1
    if (body.get('refresh_token') !== `r${current}`) return ended
    current += 1
    return ok(tokens())
  }
  return request.headers.authorization === `bearer t${current}`
    ? ok(request.url?.includes('/logout') === true ? null : user)
    : ended
}
beforeAll(async () => {
  server = createServer((request, reply) => {
    void answerRequest(request).then(({ status, body }) => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
})

const path = () => join(home, 'jiaowu', 'session.json')
function profile(on: string, minutes: number) {
  return {
    server: on,
    account: 'a',
    session: {
      token: `t${current}`,
      refreshToken: `r${current}`,
      expiresAt: Date.now() + minutes * 60_000,
      user,
    },
  }
}
async function writeProfiles(profiles: Record<string, unknown>, using: string) {
  await mkdir(join(home, 'jiaowu'), { recursive: true })
  await writeFile(path(), JSON.stringify({ version: 2, current: using, profiles }), { mode: 0o600 })
}
async function readProfiles() {
  return JSON.parse(await readFile(path(), 'utf8')) as {
    current: string | null
    profiles: Record<
      string,
      { server: string; account: string; session: { refreshToken: string } | null }
    >
  }
}
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
  jiaowu = commandAt(home, { url })
  refreshes = 0
  return () => rm(home, { recursive: true, force: true })
})

describe('the session of a terminal', () => {
  it('is refreshed when less than 5 minutes are left, not earlier', async () => {
    await writeProfiles({ p: profile(url, 6) }, 'p')
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 0 })
    expect(refreshes).toBe(0)
    await writeProfiles({ p: profile(url, 4) }, 'p')
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 0 })
    expect([refreshes, (await readProfiles()).profiles.p?.session?.refreshToken]).toEqual([
      1,
      `r${current}`,
    ])
  })
  it('is refreshed once for six terminals at the same time, and stays valid in all of them', async () => {
    await writeProfiles({ p: profile(url, 1) }, 'p')
    const all = await Promise.all(Array.from({ length: 6 }, () => jiaowu(['whoami', '--json'])))
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0])
    expect(refreshes).toBe(1)
    expect(((await stat(path())).mode & 0o777).toString(8)).toBe('600')
  })
  it('survives a terminal that died while it held the lock', async () => {
    await writeProfiles({ p: profile(url, 1) }, 'p')
    await writeFile(`${path()}.lock`, `${hostname()} 999999999 dead`)
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 0 })
    expect(refreshes).toBe(1)
    await expect(stat(`${path()}.lock`)).rejects.toThrow('ENOENT')
  })
  it('that the server has ended exits with 4 and keeps the account in the file', async () => {
    await writeProfiles(
      {
        p: {
          ...profile(url, 1),
          session: { ...profile(url, 1).session, token: 'old', refreshToken: 'old' },
        },
      },
      'p',
    )
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4, out: '' })
    expect((await readProfiles()).profiles.p?.account).toBe('a')
  })
  it('is never sent to another server', async () => {
    await writeProfiles({ p: profile('http://127.0.0.1:9', 60) }, 'p')
    expect(await jiaowu(['whoami', '--profile', 'p'])).toMatchObject({ code: 4, out: '' })
  })
  it('belongs to a profile with server and account, chosen by --profile, JIAOWU_PROFILE or `profile use`', async () => {
    const bare = { JIAOWU_SERVER: '' }
    expect(
      await jiaowu(['login', 'a', '--password-stdin', '--profile', 'school', '--server', url], {
        input: 'x',
        env: bare,
      }),
    ).toMatchObject({ code: 0 })
    await writeProfiles(
      {
        ...(await readProfiles()).profiles,
        other: { server: 'http://127.0.0.1:9', account: 'b', session: null },
      },
      'other',
    )
    const listed = await jiaowu(['profile', 'list', '--json'], { env: bare })
    expect(
      listed.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([
      { name: 'school', server: url, account: 'a', signedIn: true, current: false },
      { name: 'other', server: 'http://127.0.0.1:9', account: 'b', signedIn: false, current: true },
    ])
    expect(listed.out).not.toContain(`t${current}`)
    expect(await jiaowu(['whoami'], { env: bare })).toMatchObject({ code: 4 })
    expect(await jiaowu(['whoami', '--profile', 'school'], { env: bare })).toMatchObject({
      code: 0,
    })
    expect(await jiaowu(['whoami'], { env: { ...bare, JIAOWU_PROFILE: 'school' } })).toMatchObject({
      code: 0,
    })
    expect(await jiaowu(['profile', 'use', 'school'], { env: bare })).toMatchObject({ code: 0 })
    expect(await jiaowu(['whoami'], { env: bare })).toMatchObject({ code: 0 })
    expect(await jiaowu(['profile', 'use', 'nobody'], { env: bare })).toMatchObject({
      code: 5,
      out: '',
    })
    expect(await jiaowu(['profile', 'remove', 'school'], { env: bare })).toMatchObject({ code: 0 })
    expect(Object.keys((await readProfiles()).profiles)).toEqual(['other'])
  })
  it.skipIf(process.platform === 'win32')(
    'refuses a session file that others can read, and says what mends it',
    async () => {
      await writeProfiles({ school: profile(url, 30) }, 'school')
      await chmod(path(), 0o640)
      const refused = await jiaowu(['whoami'])
      expect([refused.code, refused.out]).toEqual([5, ''])
      expect(refused.err).toContain(`chmod 600 ${path()}`)
      await chmod(path(), 0o600)
      expect((await jiaowu(['whoami'])).code).toBe(0)
    },
  )
})
