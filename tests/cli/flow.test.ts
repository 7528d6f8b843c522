// A case decided in the terminal (docs/rules/contract.md#flows), whose state is a field without a column.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { password, type RunningServer, startRealServer } from '../support/server.ts'
import { facultyFlow, facultyTag as tag, saveFacultyFlow } from '../flows/faculty-flow.ts'
import { staffClient } from '../support/staff-client.ts'
import { commandAt, type Jiaowu, parseJsonLines } from './command.ts'
import { onTerminal } from './terminal.ts'

let server: RunningServer
let home: string
let admin: Jiaowu
let clerk: Jiaowu
const homes = new Map<string, string>()
beforeAll(async () => {
  server = await startRealServer()
  home = await mkdtemp(join(tmpdir(), 'jiaowu-flow-'))
  const signIn = async (account: string): Promise<Jiaowu> => {
    const own = await mkdtemp(join(home, account))
    homes.set(account, own)
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
  expect((await admin(['todo', '--sort', 'title'])).code).toBe(2)
  const sorted = parseJsonLines((await admin(['todo', '--sort', 'due', '--json'])).out)
  expect(sorted.map((each) => each['id'])).toContain(id)
  expect((await admin(['todo', '--due', '30', '--json'])).out).toBe('')
})

it('prints the sheet of a case, and shares tasks: transfer, addition, copies, substitutes', async () => {
  const id = await addFaculty('FL3')
  await clerk(['flow', 'decide', tag, id, 'SUBMIT'])
  const printed = await admin(['flow', 'print', tag, id, '-o', join(home, 'sheet.pdf')])
  expect(printed).toMatchObject({ code: 0, out: `${join(home, 'sheet.pdf')}\n` })
  expect((await readFile(join(home, 'sheet.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
  const give = (...flags: string[]) => admin(['flow', 'transfer', tag, id, ...flags])
  expect(await give('--to', 'dean')).toMatchObject({ code: 2 })
  expect(await give('--to', 'nobody at all', '--note', '出差')).toMatchObject({ code: 2 })
  const would = await give('--to', 'dean', '--note', '出差', '--dry-run')
  expect(would.err).toMatch(/“审核”将由 .+ 办理/)
  expect((await admin(['flow', 'show', tag, id, '--json'])).out).not.toContain('出差')
  const copied = await admin(['flow', 'copy', tag, id, '--to', 'dean', '--note', '请知悉'])
  expect([copied.code, copied.err]).toEqual([0, expect.stringContaining('已抄送: ')])
  const events = await admin(['__complete', 'bash', '--', 'flow', 'decide', tag, id, ''])
  expect(events.out.split('\n')).toContain('REJECT')
  expect(await admin(['flow', 'add', tag, id, '--way', 'later', '--to', 'dean'])).toMatchObject({
    code: 2,
  })
  const added = await admin(['flow', 'add', tag, id, '--way', 'before', '--to', 'dean'])
  expect(added).toMatchObject({ code: 0 })
  expect(added.err).toContain('已加签: 审核 → ')
  const delegated = await admin(
    'flow delegate --to dean --from 2099-01-01 --until 2099-01-05 --note 休假'.split(' '),
  )
  expect(delegated).toMatchObject({ code: 0 })
  const listed = parseJsonLines((await admin(['flow', 'delegate', '--json'])).out)
  expect(listed).toMatchObject([{ side: 'given', until: '2099-01-05', note: '休假' }])
  expect(await admin(['flow', 'delegate', '--end', String(listed[0]?.id)])).toMatchObject({
    code: 0,
  })
  expect((await admin(['flow', 'delegate'])).err).toContain('没有委托')
})

it('decides a list after a check, with a line for each row that is refused', async () => {
  const ids: string[] = []
  for (const code of ['FL4', 'FL5', 'FL6']) {
    const id = await addFaculty(code)
    await clerk(['flow', 'decide', tag, id, 'SUBMIT'])
    ids.push(id)
  }
  const [first = '', second = '', third = ''] = ids
  const list = join(home, 'decisions.csv')
  await writeFile(
    list,
    [
      'TAG,ID,EVENT,NOTE',
      `${tag},${first},REJECT,"材料不全, 请补"`,
      `${tag},${second},REJECT,`,
      `${tag},${third},APPROVE,`,
      `${tag},${first},REJECT,再来`,
      `${tag},1,REJECT,没有`,
    ].join('\n'),
  )
  const decide = (...flags: string[]) => admin(['flow', 'decide', '--file', list, ...flags])
  const checked = await decide()
  expect(checked.code).toBe(2)
  expect(checked.err).toContain('1 件可办，4 件不可办')
  expect(checked.err).toContain(`${tag} REJECT → 已驳回: 1`)
  expect(checked.err).toContain(`✗ 第 3 行  ${tag} ${second} REJECT  请填写意见`)
  expect(checked.err).toContain('✗ 第 5 行')
  expect((await decide('--dry-run')).code).toBe(3)
  expect((await admin(['flow', 'show', tag, first])).out).toContain('状态: 审核')
  const done = await decide('--yes', '--json')
  expect(done.code).toBe(3)
  expect(parseJsonLines(done.out).map(({ row, ok, state }) => [row, ok, state])).toEqual([
    [2, true, 'refused'],
    [3, false, null],
    [4, false, null],
    [5, false, null],
    [6, false, null],
  ])
  expect((await admin(['flow', 'show', tag, first])).out).toContain('材料不全, 请补')
  expect((await decide('--yes')).code).toBe(5)
  const json = JSON.stringify([{ tag, id: second, event: 'REJECT', note: '补正' }])
  const rest = await admin(['flow', 'decide', '--file', '-', '--yes'], { input: json })
  expect([rest.code, rest.err]).toEqual([0, expect.stringContaining('已办 1 件，0 件没有办成')])
  await writeFile(list, 'TAG,ID\nA,1\n')
  expect(await decide('--yes')).toMatchObject({ code: 2 })
  expect((await admin(['flow', 'decide', tag])).code).toBe(2)
})

it('shows the to-dos as a screen on a terminal: moves, opens, decides with a note, and leaves', async () => {
  for (const code of ['FL7', 'FL8']) {
    const id = await addFaculty(code)
    await clerk(['flow', 'decide', tag, id, 'SUBMIT'])
  }
  const { code, text, missing } = await onTerminal(
    homes.get('admin') ?? '',
    server,
    ['todo'],
    [
      ['学院FL7', '\u001b[B'],
      ['❯ [ ] 学院FL7', '\r'],
      [`“同意”须填写字段：jiaowu flow decide ${tag}`, '1'],
      ['意见:', '不齐\r'],
      ['1 件可办，0 件不可办', '\r'],
      ['已办 1 件，0 件没有办成', '\r'],
      ['▸ 我的待办', '\u001b[27u'],
    ],
  )
  expect([missing, code]).toEqual([null, 0])
  expect(text).toContain('会到“已驳回”')
  const left = parseJsonLines((await admin(['todo', '--json'])).out).map(({ title }) => title)
  expect(left).toContain('学院FL8')
  expect(left).not.toContain('学院FL7')
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
