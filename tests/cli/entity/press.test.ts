import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password, type RunningServer, startRealServer } from '../../support/server.ts'
import { staffClient } from '../../support/staff-client.ts'
import { commandAt, type Jiaowu } from '../command.ts'
import { onTerminal } from '../terminal.ts'

const tag = 'EDU_FACULTY'
let server: RunningServer
let home: string
let jiaowu: Jiaowu
let id: string
let name: string

const rename = { do: 'request', tag, method: 'update', id: '{id}' } as const
const buildPressableButton = (
  code: string,
  position: 1 | 2 | 3 | 4,
  eventContent: readonly object[],
) => ({
  code,
  name: `按钮${code}`,
  position,
  eventContent: [...eventContent],
})

beforeAll(async () => {
  server = await startRealServer()
  home = await mkdtemp(join(tmpdir(), 'jiaowu-press-'))
  jiaowu = commandAt(home, server)
  await jiaowu(['login', 'admin', '--password-stdin'], { input: `${password}\n` })
  const { api } = await staffClient(server)
  const now = await api.design.load({ params: { tag } })
  const write = { ...rename, values: { name: '{name}+', version: '{version}' } }
  await api.design.save({
    params: { tag },
    body: {
      ...withoutStoredKeys(now),
      buttons: [
        buildPressableButton('plus', 4, [
          { do: 'message', text: '改名 {name}' },
          write,
          { do: 'open', to: '/entity/EDU_FACULTY/list?name={name}' },
          { do: 'refresh' },
        ]),
        { ...buildPressableButton('sure', 2, [write]), confirm: '真的改名吗？' },
        buildPressableButton('reset', 3, [{ do: 'setField', attrName: 'name', value: '学院' }]),
        buildPressableButton('stale', 4, [{ ...rename, values: { name: 'x', version: '999' } }]),
        { ...buildPressableButton('hidden', 4, [write]), positionExp: "row.name == 'nobody'" },
        buildPressableButton('bar', 1, [{ do: 'refresh' }]),
        { ...buildPressableButton('twin', 2, []), name: '双' },
        { ...buildPressableButton('twin2', 4, []), name: '双' },
        { ...buildPressableButton('sql', 4, []), eventType: 2, eventContent: 'select 1' },
      ],
      version: now.version,
    } as never,
  })
  const { records } = await api.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  id = String(records[0]?.id)
  name = String(records[0]?.name)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

const nameNow = async () =>
  (JSON.parse((await jiaowu(['entity', 'get', tag, id, '--json'])).out) as { name: string }).name
const pressButton = (wanted: string, ...more: readonly string[]) =>
  jiaowu(['entity', 'press', tag, id, wanted, ...more])

describe('jiaowu entity press', { timeout: 180_000 }, () => {
  it('runs the actions of a button in order, by its code or its label', async () => {
    const byCode = await pressButton('plus', '--json')
    expect([byCode.code, JSON.parse(byCode.out)]).toEqual([
      0,
      {
        button: 'plus',
        id,
        fields: {},
        opened: [`${server.url}/#/entity/EDU_FACULTY/list?name=${encodeURIComponent(name)}`],
        messages: [`改名 ${name}`],
      },
    ])
    expect(await pressButton('按钮plus')).toMatchObject({
      code: 0,
      out: `${id}\n`,
      err: expect.stringContaining(`改名 ${name}+`) as string,
    })
    expect(await nameNow()).toBe(`${name}++`)
  })
  it('asks before a button that wants it: --yes off a terminal, else 2 and nothing is done', async () => {
    const before = await nameNow()
    expect(await pressButton('sure')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('真的改名吗？') as string,
    })
    expect(await nameNow()).toBe(before)
    expect(await pressButton('sure', '--yes')).toMatchObject({ code: 0, out: `${id}\n` })
    expect(await nameNow()).toBe(`${before}+`)
  })
  it('saves the fields that a button of the form sets', async () => {
    const { code, out } = await pressButton('reset', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { fields: { name: '学院' } }])
    expect(await nameNow()).toBe('学院')
  })
  it('ends with 5 and the text of the server when it refuses', async () => {
    const { code, out, err } = await pressButton('stale')
    expect([code, out]).toEqual([5, ''])
    expect(err).not.toBe('')
    expect(await pressButton('sql')).toMatchObject({ code: 5, out: '' })
    expect(await nameNow()).toBe('学院')
  })
  it('ends with 5 for a button that is not there, hidden or of the toolbar, and 2 for a label of two', async () => {
    for (const wanted of ['nosuch', 'hidden', 'bar']) {
      const { code, err } = await pressButton(wanted)
      expect([code, err.includes('plus')]).toEqual([5, true])
    }
    expect(await pressButton('双')).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['entity', 'press', tag, '1', 'plus'])).toMatchObject({ code: 5 })
  })
  it('completes the buttons of a record', async () => {
    const { out } = await jiaowu(['__complete', 'zsh', 'entity', 'press', tag, id, ''])
    expect(out).toContain('plus\t按钮plus\n')
    expect(out).not.toContain('bar\t')
  })
  it('asks on a terminal, and does nothing after a no', async () => {
    const no = await onTerminal(
      home,
      server,
      ['entity', 'press', tag, id, 'sure'],
      [['真的改名吗？', 'n']],
    )
    expect([no.code, no.missing]).toEqual([130, null])
    expect(await nameNow()).toBe('学院')
    const yes = await onTerminal(
      home,
      server,
      ['entity', 'press', tag, id, 'sure'],
      [
        ['真的改名吗？', 'y'],
        ['已执行', ''],
      ],
    )
    expect([yes.code, yes.missing]).toEqual([0, null])
    expect(await nameNow()).toBe('学院+')
  })
  it('lets a failure be left on a terminal', async () => {
    const left = await onTerminal(
      home,
      server,
      ['entity', 'press', tag, id, 'stale'],
      [['重试', '\u001b[27u']],
    )
    expect([left.code, left.missing]).toEqual([130, null])
  })
})
