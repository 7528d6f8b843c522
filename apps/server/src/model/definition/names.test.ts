import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { expect, it } from 'vitest'
import { columnRef, matchesPattern } from './names.ts'

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (each) => new PostgresIntrospector(each),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

it.each([
  ['%张三%', 'like'],
  ['2022010000%', 'like'],
  ['%\\_（二）%', 'like'],
  ['%Zhang%', 'ilike'],
  ['%张a%', 'ilike'],
  ['%Ä%', 'ilike'],
])('folds case only where the pattern %s has one: %s', (pattern, operator) => {
  const { sql: text, parameters } = matchesPattern(columnRef('name'), pattern).compile(db)
  expect([text, parameters]).toEqual([`"t"."name" ${operator} $1::text`, [pattern]])
})
