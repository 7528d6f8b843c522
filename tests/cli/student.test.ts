import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startRealServer } from '../support/server.ts'
import { commandAt, parseJsonLines } from './command.ts'
import { onTerminal } from './terminal.ts'

let server: RunningServer
let home: string
beforeAll(async () => {
  server = await startRealServer({
    CAPTCHA_DRIVER: 'fixed',
    CAPTCHA_FIXED: 'wxyz',
    CAPTCHA_WORK: '1',
  })
  home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

async function codeSent(): Promise<string> {
  const last =
    (await readFile(join(server.dataDir, 'outbox', 'sms.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .at(-1) ?? ''
  return (JSON.parse(last) as { params: { code: string } }).params.code
}
/** Pays at the sandbox cashier, whose URL the screen shows below the QR code. */
async function pay(seen: () => string): Promise<string> {
  const find = () => [...seen().matchAll(/https?:\/\/\S+\/pay\/\S+(?=\s)/g)].at(-1)?.[0] ?? ''
  await expect.poll(find).not.toBe('')
  const url = find()
  const reply = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ button: 'pay' }),
    redirect: 'manual',
  })
  if (reply.status !== 303) throw new Error(`the cashier answered ${reply.status}`)
  return ''
}
/** Ends the session of the terminal from elsewhere, then asks for the list. */
async function endSessions(of: string): Promise<string> {
  const folder = join(of, 'jiaowu')
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  )
  for (const token of texts.join('').matchAll(/"token":"([^"]+)"/g))
    await fetch(`${server.url}/api/authority/logout`, {
      method: 'POST',
      headers: { authorization: `bearer ${token[1]}` },
    })
  return 'r'
}
const [esc, ctrlG] = ['\u001b', '\u0007']

describe('jiaowu student', { timeout: 180_000 }, () => {
  it('signs in by captcha and SMS, pays by the QR code, and saves the document', async () => {
    const seen = await onTerminal(
      home,
      server,
      ['student'],
      [
        ['短信验证码', `13800000005${ctrlG}`],
        ['图片已保存', 'wxyz\r'],
        ['秒后重新发送', async () => `${await codeSent()}\r`],
        ['中文成绩单', '\r'],
        ['确认下载', 'p'],
        ['已保存到', '\r'],
        ['微信支付', '\r'],
        ['秒内完成支付', pay],
        ['文件下载完成', 'h'],
        ['可免费下载', 'q'],
      ],
    )
    expect(seen).toMatchObject({ code: 0, missing: null })
    const files = (await readdir(home)).filter((name) => name.endsWith('.pdf'))
    expect(files).toHaveLength(2)
    for (const name of files)
      expect((await readFile(join(home, name))).subarray(0, 5).toString()).toBe('%PDF-')
  })
  it('applies by command and in a form, sends, shows, withdraws and reads notices', async () => {
    const student = commandAt(home, server)
    const stranger = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
    const refused = await commandAt(stranger, server)(['student', 'ls'])
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('jiaowu student')])
    await rm(stranger, { recursive: true })

    expect((await student(['student', 'ls'])).err).toContain('可申请：缓考（EDU_DEFERRAL）')
    const tag = 'EDU_STATUS_CHANGE'
    const values = ['kind=休学', 'term=2025-2026-2', 'reason=因病']
    const set = values.flatMap((value) => ['--set', value])
    await writeFile(join(home, '证明.txt'), '住院')
    const made = await student(['student', 'apply', tag, ...set, '--attach', '证明.txt', '--json'])
    expect([made.code, made.err]).toEqual([0, ''])
    const { id, can } = parseJsonLines(made.out)[0] as { id: string; can: { event: string }[] }
    expect(can.map(({ event }) => event)).toEqual(['SUBMIT', 'CANCEL'])
    const sent = await student(['student', 'send', tag, id, 'SUBMIT', '--set', 'reason=住院一个月'])
    expect(sent.err).toContain('已办理，现为“院长审核”')
    expect((await student(['student', 'send', tag, id, 'APPROVE'])).code).toBe(5)
    const shown = await student(['student', 'show', tag, id])
    expect(shown.out).toContain('住院一个月')
    expect(shown.out).toContain('可办理: WITHDRAW (撤回)')

    expect((await student(['student', 'send', tag, id, 'WITHDRAW'])).err).toContain('草稿')
    const unknown = await student(['student', 'apply', 'EDU_GRADE', '--set', 'score=100'])
    expect([unknown.code, unknown.err]).toEqual([5, expect.stringContaining('EDU_DEFERRAL')])
    expect((await student(['student', 'messages'])).code).toBe(0)
    expect(
      await onTerminal(home, server, ['student', 'apply', tag], [['异动类别', esc]]),
    ).toMatchObject({ missing: null })
  })
  it('keeps the session, and shows the sign-in form after signing out', async () => {
    expect(
      await onTerminal(
        home,
        server,
        ['student'],
        [
          ['可免费下载', 'o'],
          ['短信验证码', esc],
        ],
      ),
    ).toMatchObject({ code: 0, missing: null })
  })
  it('says that the session has ended, as the web does', async () => {
    // A terminal of its own, in which no code was sent a moment ago.
    const other = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
    expect(
      await onTerminal(
        other,
        server,
        ['student'],
        [
          ['短信验证码', `13800000006${ctrlG}`],
          ['图片已保存', 'wxyz\r'],
          ['秒后重新发送', async () => `${await codeSent()}\r`],
          ['中文成绩单', () => endSessions(other)],
          // The form takes keys once it is drawn.
          ['登录已结束，请重新登录。已付款的文件仍在下载列表中。', () => sleep(1_000, esc)],
        ],
      ),
    ).toMatchObject({ code: 0, missing: null })
    await rm(other, { recursive: true })
  })
})
