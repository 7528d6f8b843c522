import { defaultTenant } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { missingIndexes } from './missing-index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.close()
})

/** Entities whose tables grow with use, and their search fields that no index serves, with the reason. */
const unserved: Readonly<Record<string, readonly string[]>> = {
  EDU_STUDENT: ['gender'], // two values
  EDU_GRADE: ['examType'], // a handful of values
  RPT_ORDER: ['payType', 'source'], // a handful of values
  RPT_DOCUMENT: ['kind', 'language'], // a handful of values
  SYS_LOG: ['account', 'result'], // parts of texts would cost each write an index of pairs; two values
  SYS_SMS_TASK: [],
  SYS_MESSAGE: ['title', 'status'], // a user's messages are found by the receiver
  SYS_ATTACHMENT: ['name', 'type'], // files are found by their record
}

it.each(Object.entries(unserved))('serves the searches of %s but %s', async (tag, expected) => {
  const { services } = app
  const db = databaseOf(services)
  const { table, fields, definition } = await services.registry.get(defaultTenant, tag)
  // As if it had grown: indexes are not asked for below 10,000 rows.
  await sql`update pg_catalog.pg_class set reltuples = 1000000
    where oid = ${`${table.schema}.${table.name}`}::regclass`.execute(db)
  const missing = await missingIndexes(db, table)
  const searched = fields.flatMap(
    ({ column, sealer, definition: { attrName, isQuery, queryType } }) => {
      const name = sealer === null ? column?.name : sealer.index
      const isUnserved = isQuery === 1 && name !== undefined && missing(name, queryType) !== null
      return isUnserved ? [attrName] : []
    },
  )
  expect(searched).toEqual(expected)
  const [first] = definition.options.sorts
  const order = fields.find((field) => field.definition.attrName === first?.column)?.column
  if (order != null) expect(missing(order.name, 'order')).toBeNull()
})
