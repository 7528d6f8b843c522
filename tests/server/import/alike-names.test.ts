// Names that people see as one, in one file and beside stored ones: one account is made, and every
// other row is refused with its field (docs/rules/database.md#names-that-identify).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

const spellings = ['stxy', 'STXY', 'Stxy', 'ｓｔｘｙ', ' stxy ', 's\u200Btxy']
const createAccountsFile = (accounts: readonly string[]) =>
  toCsv(
    `账号,姓名,密码\n${accounts.map((account, n) => `"${account}",张三 ${n},Lantern-Orbit-${n}7`).join('\n')}\n`,
  )
async function countAlikeAccounts(): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from sys.app_user
    where sys.canonical_name(account) = 'stxy'`.execute(app.services.database.kysely)
  return Number(rows[0]?.n)
}

it('one row of a file that spells one account in several ways is written', async () => {
  const job = await importFile(admin, 'SYS_USER', createAccountsFile(spellings), {
    mode: 'insert',
    confirm: true,
    onError: 'skip',
  })
  expect(job).toMatchObject({ status: 'done', inserted: 1 })
  expect(job.errors.map(({ attrName, row }) => [attrName, row])).toEqual(
    spellings.slice(1).map((_, n) => ['account', n + 3]),
  )
  // A repetition of the cell itself is found in the file, another spelling by the database.
  for (const { rule } of job.errors) expect(['unique', 'duplicate']).toContain(rule)
  expect(await countAlikeAccounts()).toBe(1)
})

it('a file with another spelling of a stored account is refused as a whole', async () => {
  const job = await importFile(admin, 'SYS_USER', createAccountsFile(['new-one', 'sTxy']), {
    mode: 'insert',
    confirm: true,
  })
  expect(job.inserted).toBe(0)
  expect(job.errors).toMatchObject([{ attrName: 'account', rule: 'unique', row: 3 }])
  expect(await countAlikeAccounts()).toBe(1)
})
