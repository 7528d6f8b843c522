import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandOnServer, startSignedIn } from '../command-on-server.ts'
import { parseJsonLines } from '../command.ts'

let on: CommandOnServer
beforeAll(async () => {
  on = await startSignedIn()
}, 120_000)
afterAll(() => on.stop())

const tag = 'EDU_STUDENT'

it('masks ID numbers, and reveals one for a reason', { timeout: 180_000 }, async () => {
  const list = await on.jiaowu(['entity', 'list', tag, '--json', '--size', '1'])
  const [row] = parseJsonLines(list.out)
  expect(row?.idCard).toMatch(/^\d\*{16}[\dX]$/)
  const ask = ['entity', 'reveal', tag, String(row?.id), '--field', 'idCard']
  expect(await on.jiaowu(ask)).toMatchObject({ code: 2, out: '' })
  expect(await on.jiaowu([...ask, '--reason', '无'])).toMatchObject({ code: 5, out: '' })
  const shown = await on.jiaowu([...ask, '--reason', '核对学籍'])
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.out.trim()).toMatch(/^\d{17}[\dX]$/)
})

it('exports full values with --reveal and --reason only', { timeout: 180_000 }, async () => {
  const file = (name: string) => join(on.home, name)
  const ask = ['entity', 'export', tag, '-f', 'studentNo=2022010000', '-o']
  await on.jiaowu([...ask, file('masked.csv')])
  expect(await readFile(file('masked.csv'), 'utf8')).not.toMatch(/\d{17}[\dX]/)
  expect(await on.jiaowu([...ask, file('none.csv'), '--reveal'])).toMatchObject({ code: 2 })
  await on.jiaowu([...ask, file('full.csv'), '--reveal', '--reason', '上级核查'])
  expect(await readFile(file('full.csv'), 'utf8')).toMatch(/\d{17}[\dX]/)
})
