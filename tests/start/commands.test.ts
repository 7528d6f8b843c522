import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverCommand } from '../support/server-command.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-commands-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function command(...words: string[]) {
  const { status, stdout, stderr } = serverCommand(words, { DATA_DIR: join(folder, 'data') })
  return { status, stdout, stderr }
}

it('lists the commands, and the arguments of one', () => {
  expect(command('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('sql FILE'),
  })
  expect(command('sql', '--help').stdout).toContain('usage: npm run server -- sql FILE')
})

it.each([
  [['sing'], 'There is no command "sing".'],
  [['sql'], 'The command takes 1 argument(s).'],
  [['migrate', '--fast'], "Unknown option '--fast'"],
])('answers %j with exit code 2 and the way out', (words, sentence) => {
  const { status, stdout, stderr } = command(...words)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr).toContain('usage: npm run server --')
})

it('runs an SQL file in one transaction', async () => {
  const file = join(folder, 'two.sql')
  await writeFile(file, 'create table biz.first (id bigint); select missing from biz.first')
  expect(command('sql', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('missing'),
  })
  await writeFile(file, 'create table biz.first (id bigint)')
  const done = command('sql', file)
  expect(done.status).toBe(0)
  expect(done.stdout).toContain(
    `${file}: done, 1 statements, 0 copied rows\nmade 1 tables and views:\n  biz.first\n`,
  )
  await writeFile(file, 'create table `a` (`id` int) engine=innodb;\ninsert into `a` values (1)')
  const mysql = command('sql', file, '--schema', 'old')
  expect(mysql).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(
      `${file}: done, 2 statements, 1 copied rows\nmade 1 tables and views:\n  old.a\nBUSINESS_SCHEMAS does not offer old; set it to biz,public,old\n`,
    ),
  })
}, 180_000)
