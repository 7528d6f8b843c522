import { soundsSecret } from '@jiaowu/api/entity/definition/secret-names'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../../testing/database/database.ts'
import type { Database } from '../open-database.ts'
import { harmlessColumns, isSecretColumn, secretColumns } from './secret-columns.ts'

let database: Database
let columns: readonly string[]
beforeAll(async () => {
  database = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name || '.' || column_name as name
    from information_schema.columns where table_schema in ('sys', 'biz')
    order by 1`.execute(database.kysely)
  columns = rows.map(({ name }) => name)
})
afterAll(() => database.close())

/** Wider than what a user's own tables are checked for: the program's own names are few. */
const suspicious = /hash|token|code|key|answer|salt|cipher|sealed|otp|pin$|private/i

it('classifies every column whose name sounds like a secret', () => {
  const open = columns.filter((name) => {
    const [schema = '', table = '', column = ''] = name.split('.')
    return (
      (suspicious.test(column) || soundsSecret(column, null)) &&
      !isSecretColumn(`${schema}.${table}`, column) &&
      !Object.hasOwn(harmlessColumns, name)
    )
  })
  expect(open).toEqual([])
})

it('names only columns that exist, none twice', () => {
  const secret = Object.entries(secretColumns).flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  )
  const known = new Set(columns)
  expect([...secret, ...Object.keys(harmlessColumns)].filter((name) => !known.has(name))).toEqual(
    [],
  )
  expect(secret.filter((name) => Object.hasOwn(harmlessColumns, name))).toEqual([])
})
