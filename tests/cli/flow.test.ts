// A case decided in the terminal (docs/rules/contract.md#flows), whose state is a field without a column.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { password, type RunningServer, startRealServer } from '../support/server.ts'
import { facultyFlow, facultyTag as tag, saveFacultyFlow } from '../flows/faculty-flow.ts'
import { staffClient } from '../support/staff-client.ts'
import { commandAt, type Jiaowu, parseJsonLines } from './command.ts'

let server: RunningServer
let home: string
let admin: Jiaowu
let clerk: Jiaowu
beforeAll(async () => {
  server = await startRealServer()
  home = await mkdtemp(join(tmpdir(), 'jiaowu-flow-'))
  const signIn = async (account: string): Promise<Jiaowu> => {
    const own = await mkdtemp(join(home, account))
    const jiaowu = commandAt(own, server)
    expect(
      await jiaowu(['login', account, '--password-stdin'], { input: `${password}\n` }),
    ).toMatchObject({ code: 0 })
    return jiaowu
  }
  await saveFacultyFlow((await staffClient(server)).api)
  admin = await signIn('admin')
  clerk = await signIn('registrar')
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

async function addFaculty(code: string): Promise<string> {
  const {
    out,
    code: exit,
    err,
  } = await clerk([
    'entity',
    'add',
    tag,
    '--set',
    `code=${code}`,
    '--set',
    `name=学院${code}`,
    '--json',
  ])
  expect([exit, err]).toEqual([0, ''])
  return String(parseJsonLines(out)[0]?.id)
}

it('lists, shows, withdraws and decides, with the state that it led to', async () => {
  const id = await addFaculty('FL1')
  expect((await clerk(['flow', 'decide', tag, id, 'SUBMIT'])).err).toContain('已办理，现为“审核”')
  expect((await clerk(['flow', 'withdraw', tag, id])).err).toContain('已办理，现为“草稿”')
  expect((await clerk(['flow', 'decide', tag, id, 'SUBMIT'])).code).toBe(0)
  const todo = parseJsonLines((await admin(['todo', '--json'])).out)
  expect(todo).toMatchObject([{ tag, id, state: 'review', name: '审核', title: '学院FL1' }])
  const shown = await admin(['flow', 'show', tag, id])
  expect(shown.out).toContain('状态: 审核 (review)')
  expect(shown.out).toContain('可办理: APPROVE (同意) --set dean=; REJECT (驳回) --note')
  expect(shown.out).toMatch(/draft → review/)
  const would = await admin([
    'flow',
    'decide',
    tag,
    id,
    'APPROVE',
    '--set',
    'dean=王芳',
    '--dry-run',
  ])
  expect([would.code, would.err]).toEqual([0, '会到状态“已同意”\n'])
  const done = await admin(['flow', 'decide', tag, id, 'APPROVE', '--set', 'dean=王芳', '--json'])
  expect(parseJsonLines(done.out)).toMatchObject([{ state: 'done', isDone: true }])
  const { out } = await admin(['entity', 'get', tag, id, '--json'])
  expect(parseJsonLines(out)).toMatchObject([{ dean: '王芳', flowState: 'done' }])
  expect((await admin(['todo', '--json'])).out).toBe('')
  expect(parseJsonLines((await admin(['todo', '--mine', 'decided', '--json'])).out)).toMatchObject([
    { id },
  ])
})

it('refuses with exit code 5 and the reason: not theirs, no note, the state itself', async () => {
  const id = await addFaculty('FL2')
  await clerk(['flow', 'decide', tag, id, 'SUBMIT'])
  const own = await clerk(['flow', 'decide', tag, id, 'APPROVE'])
  expect(own.code).toBe(5)
  expect(own.err).toContain('不由您办理')
  const silent = await admin(['flow', 'decide', tag, id, 'REJECT'])
  expect(silent.code).toBe(5)
  expect(silent.err).toContain('请填写意见')
  const direct = await admin(['entity', 'edit', tag, id, '--set', 'flowState=done'])
  expect(direct.code).toBe(5)
  expect(direct.err).toContain('jiaowu flow decide')
  expect((await admin(['todo', '--mine', 'all'])).code).toBe(2)
})

it('lints a flow without a server as the server does', async () => {
  const file = join(home, `${tag}.json`)
  expect((await admin(['design', 'pull', tag, '--dir', home])).code).toBe(0)
  expect((await admin(['design', 'lint', tag, '--dir', home, '--offline'])).code).toBe(0)
  const text = await readFile(file, 'utf8')
  const definition = JSON.parse(text) as { options: { flow: typeof facultyFlow } }
  definition.options.flow.states.review.on.APPROVE.who = [{ role: 'ROLE_ADMIN' }]
  await writeFile(file, JSON.stringify(definition))
  for (const offline of [[], ['--offline']]) {
    const lint = await admin(['design', 'lint', tag, '--dir', home, ...offline])
    expect(lint.code).toBe(7)
    expect(lint.err).toContain('entity.E121')
    expect(lint.err).toContain('甲 提交 → 甲（ROLE_ADMIN） 同意')
  }
})

it('prints the steps through a flow for a tester', async () => {
  const { out, code } = await admin(['machine', 'paths', tag])
  expect(code).toBe(0)
  expect(out.split('\n').filter((each) => each !== '')).toEqual([
    '1. 甲 提交 [review] → 甲 撤回 [draft]',
    '2. 甲 提交 [review] → 乙（ROLE_ADMIN） 驳回 [refused]',
    '3. 甲 提交 [review] → 乙（ROLE_ADMIN） 同意 [done]',
  ])
  expect((await admin(['machine', 'paths', 'EDU_CLASS'])).code).toBe(5)
})
