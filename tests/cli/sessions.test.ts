// Own sessions, a fresh proof and the sign-in by a browser on the terminal (docs/rules/security.md#s6).
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createClient } from '@jiaowu/api/client/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { password } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'
import { type CommandOnServer, startSignedIn } from './command-on-server.ts'
import { commandAt, type Jiaowu, parseJsonLines } from './command.ts'
import { onTerminal } from './terminal.ts'

let on: CommandOnServer
let proxy: Server
/** The server as an hour after the sign-in: it asks for a proof before it shows a value. */
let late: { readonly url: string }

beforeAll(async () => {
  on = await startSignedIn()
  proxy = createServer((request, response) => {
    void forwardRequest(request).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  const address = proxy.address()
  late = { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
  const login = ['login', 'admin', '--password-stdin', '--profile', 'late']
  await commandAt(on.home, late)(login, { input: `${password}\n` })
}, 180_000)
afterAll(async () => {
  proxy.close()
  await on.stop()
})

async function forwardRequest(request: IncomingMessage): Promise<Response> {
  if (request.url?.includes('/reveal') === true && request.headers['x-reauth'] === undefined) {
    const [msg, data] = [
      '此操作需要再次验证身份，请输入登录密码',
      { kinds: ['device', 'password'] },
    ]
    return Response.json({ success: false, code: 40310, msg, data, traceId: 't' }, { status: 403 })
  }
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const {
    host: _host,
    connection: _connection,
    'content-length': _length,
    ...headers
  } = request.headers
  return await fetch(on.server.url + (request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(parts.length > 0 && { body: Buffer.concat(parts) }),
  })
}

/** The command as the administrator, whoever signed in last. */
const admin: Jiaowu = (args, options) =>
  on.jiaowu(
    args.includes('--profile') ? args : [...args, '--profile', new URL(on.server.url).host],
    options,
  )

async function revealing(): Promise<readonly string[]> {
  const list = ['entity', 'list', 'EDU_STUDENT', '--size', '1', '--json']
  const [row] = parseJsonLines((await admin(list)).out)
  const ask = ['entity', 'reveal', 'EDU_STUDENT', String(row?.['id']), '--field', 'idCard']
  return [...ask, '--reason', '核对身份证号', '--profile', 'late']
}

it(
  'lists own sessions and ends them; administrators those of an account',
  { timeout: 180_000 },
  async () => {
    const listed = parseJsonLines((await admin(['session', 'ls', '--json'])).out)
    expect(listed.length).toBe(2)
    expect(listed[0]).toMatchObject({ current: true, by: 'password' })
    expect(String(listed[0]?.['device'])).toMatch(/^jiaowu \d+\.\d+\.\d+ · linux \w+$/)
    expect((await admin(['session', 'ls'])).out).toContain('最近使用')
    const other = commandAt(on.home, on.server)
    const login = ['login', 'admin', '--password-stdin', '--profile', 'other']
    await other(login, { input: `${password}\n` })
    const known = new Set(listed.map(({ id }) => id))
    const now = parseJsonLines((await admin(['session', 'ls', '--json'])).out)
    const added = now.find(({ id }) => !known.has(id))
    expect(await admin(['session', 'end'])).toMatchObject({ code: 2 })
    expect(await admin(['session', 'end', '1'])).toMatchObject({ code: 5 })
    expect((await admin(['session', 'end', String(added?.['id'])])).code).toBe(0)
    expect(await other(['whoami', '--profile', 'other'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('您已在会话列表中结束了这次登录') as string,
    })
    const clerk = ['login', 'clerk', '--password-stdin', '--profile', 'clerk']
    await other(clerk, { input: `${password}\n` })
    expect(await admin(['account', 'end-sessions', 'clerk'])).toMatchObject({ code: 2 })
    expect(await admin(['account', 'end-sessions', 'nobody', '-y'])).toMatchObject({ code: 5 })
    const ended = await admin(['account', 'end-sessions', 'clerk', '-y', '--json'])
    expect(JSON.parse(ended.out)).toMatchObject({ account: 'clerk', ended: 1 })
    expect(await other(['whoami', '--profile', 'clerk'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('管理员结束了您的登录') as string,
    })
  },
)

it(
  'proves by JIAOWU_PASSWORD, and says how to go on where nobody can be asked',
  { timeout: 180_000 },
  async () => {
    const jiaowu = commandAt(on.home, late)
    const ask = await revealing()
    expect(await jiaowu(ask)).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('JIAOWU_PASSWORD') as string,
    })
    const env = { JIAOWU_PASSWORD: password }
    expect(await jiaowu(ask, { env })).toMatchObject({ code: 0 })
    expect((await jiaowu(ask, { env })).out).toMatch(/^\d{17}[\dX]\n$/)
    expect(await jiaowu(ask, { env: { JIAOWU_PASSWORD: 'wrong' } })).toMatchObject({
      code: 5,
      err: expect.stringContaining('密码不正确') as string,
    })
  },
)

it('asks for the password on a terminal until it is right', { timeout: 180_000 }, async () => {
  const seen = await onTerminal(on.home, late, await revealing(), [
    ['密码', 'wrong\r'],
    ['密码不正确', `${password}\r`],
  ])
  expect([seen.missing, seen.code]).toEqual([null, 0])
  expect(seen.text).toMatch(/\d{17}[\dX]/)
})

it('proves in a browser where no password is typed', { timeout: 180_000 }, async () => {
  const { api } = await staffClient(on.server)
  const seen = await onTerminal(on.home, late, await revealing(), [
    ['直接回车', '\r'],
    [
      '正在等待',
      async (read) => {
        const userCode = /[A-Z]{4}-[A-Z]{4}/.exec(read())?.[0] ?? ''
        expect(await api.device.look({ body: { userCode } })).toMatchObject({ proves: true })
        await api.device.decide({ body: { userCode, agree: true } })
        return ''
      },
    ],
  ])
  expect([seen.missing, seen.code]).toEqual([null, 0])
  expect(seen.text).toMatch(/\d{17}[\dX]/)
})

it('asks below a screen, which keeps what was typed', { timeout: 180_000 }, async () => {
  const list = ['entity', 'list', 'EDU_STUDENT', '--size', '1', '--json']
  const [row] = parseJsonLines((await admin(list)).out)
  const edit = ['entity', 'edit', 'EDU_STUDENT', String(row?.['id']), '--profile', 'late']
  const down = '\u001b[B'
  const seen = await onTerminal(on.home, late, edit, [
    ['身份证号', down.repeat(2)],
    ['^v', '\u0016'],
    ['事由', '核对身份证号\r'],
    ['再次验证身份', `${password}\r`],
    ['隐藏', '\u001b'],
    ['^s', '\u0003'],
  ])
  expect(seen.missing).toBe(null)
  expect(seen.text).toMatch(/\d{17}[\dX]/)
})

it('signs in by a browser', { timeout: 180_000 }, async () => {
  const api = createClient({
    baseURL: `${on.server.url}/api`,
    locale: () => 'zh-CN',
    authorise: async () => ({ token, account: '', accountId: '' }),
  })
  const { access_token: token } = await api.session.signIn({
    body: { grant_type: 'password', username: 'registrar', password },
  })
  let decided: Promise<unknown> | null = null
  const ran = await admin(['login', '--device', '--profile', 'device', '--json'], {
    watch: (_child, output) => {
      const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(output()) ?? []
      if (userCode === undefined) return
      decided ??= api.device.decide({ body: { userCode, agree: true } })
    },
  })
  await decided
  expect(ran.err).toContain(`${on.server.url}/#/device`)
  expect([ran.code, JSON.parse(ran.out)]).toMatchObject([0, { account: 'registrar' }])
  expect((await admin(['whoami', '--profile', 'device', '--json'])).out).toContain('registrar')
})
