// `jiaowu design adopt` over the tables of another program: chosen on its screen, saved, and then listed,
// edited and pressed by the command.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOfBase, password, type RunningServer, startRealServer } from '../../support/server.ts'
import { runSqlFile } from '../../support/server-command.ts'
import { staffClient } from '../../support/staff-client.ts'
import { commandAt, type Jiaowu, parseJsonLines } from '../command.ts'
import { onTerminal } from '../terminal.ts'

const sql = `create table "Book Loans" ("Reader" char(5), "Copy No" int, "Due" date, "Renewals" int not null default 0, primary key ("Reader", "Copy No"));
create table readers (id serial primary key, full_name varchar(40) not null, photo bytea);
create table scratch (a int);
insert into "Book Loans" values ('KONGX', 1, '2026-05-06', 0), ('KONGX', 2, '2026-05-07', 0), ('LI/~,', 1, '2026-05-08', 0);
`

let server: RunningServer
let folder: string
let jiaowu: Jiaowu

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-adopt-'))
  const data = { DATA_DIR: join(folder, 'data'), DEMO: '0' }
  await copyOfBase(data.DATA_DIR)
  await writeFile(join(folder, 'loans.sql'), sql)
  runSqlFile(join(folder, 'loans.sql'), data.DATA_DIR)
  server = await startRealServer(data)
  jiaowu = commandAt(folder, server)
  await jiaowu(['login', 'admin', '--password-stdin'], { input: `${password}\n` })
}, 240_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const listLoans = async () =>
  parseJsonLines((await jiaowu(['entity', 'list', 'BOOK_LOANS', '--json'])).out).map(
    ({ id, renewals }) => `${String(id)} ${String(renewals)}`,
  )

describe('jiaowu design adopt', { timeout: 240_000 }, () => {
  it('leaves nothing behind when the user leaves', async () => {
    const left = await onTerminal(
      folder,
      server,
      ['design', 'adopt'],
      [['保存 3 个实体', '\u001b']],
    )
    expect([left.code, left.missing]).toEqual([130, null])
    // Bytes have no text form: the table at the cursor says so where it stands.
    expect(left.text).toContain('public.Book Loans')
  })
  it('saves the tables that stay chosen, under the names given', async () => {
    const adopted = await onTerminal(
      folder,
      server,
      ['design', 'adopt'],
      [
        ['保存 3 个实体', '\r'],
        ['Book loans', ' of readers'],
        ['of readers', '\r'],
        ['保存 3 个实体', '\u001b[B'],
        ['photo', '\u001b[B'],
        ['只读', ' '],
        ['保存 2 个实体', '\u0013'],
      ],
    )
    expect([adopted.missing, adopted.code]).toEqual([null, 0])
    expect(adopted.text).toContain('已引入 2 个实体')
    const { out } = await jiaowu(['entity', 'ls', '--json'])
    const names = Object.fromEntries(parseJsonLines(out).map(({ tag, name }) => [tag, name]))
    expect(names).toMatchObject({ BOOK_LOANS: 'Book loans of readers', READERS: 'Readers' })
    expect(names).not.toHaveProperty('SCRATCH')
  })
  it('makes a table of a sheet: drafted, changed by flags, with its rows', async () => {
    const sheet = join(folder, '器材.csv')
    await writeFile(sheet, '器材号,押金,备注\nK1,9.5,\nK2,8,旧\nK3,7.25,\n')
    const looked = await jiaowu(['design', 'adopt', sheet, '--dry-run', '--json'])
    expect(JSON.parse(looked.out)).toMatchObject({ name: '器材', rows: 3 })
    const unasked = await jiaowu(['design', 'adopt', sheet])
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('--yes')])
    const wrong = await jiaowu(['design', 'adopt', sheet, '--yes', '--column', '押金=money'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('押金=money')])
    const flags = ['--column', '备注=-', '--column', '押金=每件押金:decimal:3', '--tag', 'GEAR']
    const made = await jiaowu(['design', 'adopt', sheet, '--yes', ...flags, '--json'])
    expect(made.code, made.err).toBe(0)
    expect(JSON.parse(made.out)).toMatchObject({ status: 'done', inserted: 3 })
    const { api } = await staffClient(server)
    const { fields } = await api.design.load({ params: { tag: 'GEAR' } })
    expect(fields.map(({ uiLabel, columnType }) => `${uiLabel} ${columnType}`)).toEqual(
      expect.arrayContaining(['器材号 varchar(16)', '每件押金 numeric(18,3)']),
    )
    expect(fields.map(({ uiLabel }) => uiLabel)).not.toContain('备注')
  })
  it('gives rows of several key columns to list, get, edit and press', async () => {
    expect((await listLoans()).toSorted()).toEqual(['KONGX~1 0', 'KONGX~2 0', 'LI%2F%7E%2C~1 0'])
    const { api } = await staffClient(server)
    const params = { tag: 'BOOK_LOANS' }
    const now = await api.design.load({ params })
    const renew = {
      do: 'request',
      tag: 'BOOK_LOANS',
      method: 'update',
      id: '{id}',
      values: { renewals: '7', version: '{version}' },
    }
    await api.design.save({
      params,
      body: {
        ...withoutStoredKeys(now),
        buttons: [{ code: 'renew', name: '续借', position: 4, eventContent: [renew] }],
        version: now.version,
      } as never,
    })
    const id = 'LI%2F%7E%2C~1'
    expect(await jiaowu(['entity', 'press', 'BOOK_LOANS', id, 'renew', '--yes'])).toMatchObject({
      code: 0,
      out: `${id}\n`,
    })
    expect(
      await jiaowu(['entity', 'edit', 'BOOK_LOANS', 'KONGX~2', '--set', 'renewals=3']),
    ).toMatchObject({ code: 0 })
    expect((await listLoans()).toSorted()).toEqual(['KONGX~1 0', 'KONGX~2 3', `${id} 7`])
    expect(await jiaowu(['entity', 'rm', 'BOOK_LOANS', id, '--yes'])).toMatchObject({ code: 0 })
    expect((await listLoans()).toSorted()).toEqual(['KONGX~1 0', 'KONGX~2 3'])
  })
  it('names tables that do not exist', async () => {
    expect(await jiaowu(['design', 'adopt', 'public.nowhere', '--yes'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('nowhere') as string,
    })
  })
})
