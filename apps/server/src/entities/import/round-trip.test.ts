// Export, edit, import: the table then differs by exactly the edits, for every field kind.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { isJobOver } from '@jiaowu/api/contract/job'
import type { WireValue } from '@jiaowu/api/entity/values'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { jobHandlers } from '../handlers/job.ts'
import type { Context } from '../../model/context.ts'
import { startLedgerQueues } from '../../start/job-handlers.ts'

let fixture: Fixture
let context: Context
let stopQueues: () => Promise<void>
beforeAll(async () => {
  fixture = await openFixture()
  const { settings } = fixture.context()
  // A job reads its user from the database.
  const kysely = fixture.database.kysely
  await kysely
    .insertInto('sys.tenant')
    .values({ id: '10000', tenant_id: '10000', code: '10000', name: 't', status: '1' })
    .onConflict((c) => c.doNothing())
    .execute()
  await kysely
    .insertInto('sys.role')
    .values({ id: '77', tenant_id: '10000', code: 'ROLE_ADMIN', name: 'admin', status: '1' })
    .execute()
  await kysely
    .insertInto('sys.app_user')
    .values({
      id: '1',
      tenant_id: '10000',
      account: 'admin',
      name: '管理员',
      password_hash: 'x',
      status: '1',
      role_ids: ['77'],
    })
    .execute()
  context = {
    ...fixture.context(),
    settings: {
      ...settings,
      dataDir: await mkdtemp(join(tmpdir(), 'jiaowu-trip-')),
    },
  }
  stopQueues = startLedgerQueues(context)
})
afterAll(async () => {
  await stopQueues()
  await rm(context.settings.dataDir, { recursive: true, force: true })
  await fixture.close()
})

const at = { params: { tag: 'T_SAMPLE' }, query: undefined }
async function rowsNow() {
  const file = await entityDataHandlers.export(
    {
      ...at,
      body: {
        pageSize: -1,
        pageNum: -1,
        sorts: [{ column: 'id', asc: true }],
        queries: {},
        format: 'ndjson',
      },
    },
    context,
  )
  const text = (await file.text()).trim()
  return text === ''
    ? []
    : text.split('\n').map((line) => JSON.parse(line) as Record<string, WireValue>)
}
async function exportForRoundTrip(format: ExportFormat) {
  return new File(
    [
      new Uint8Array(
        await (
          await entityDataHandlers.export(
            {
              ...at,
              body: {
                pageSize: -1,
                pageNum: -1,
                sorts: [{ column: 'id', asc: true }],
                queries: {},
                format,
              },
            },
            context,
          )
        ).arrayBuffer(),
      ),
    ],
    `e.${format}`,
  )
}
async function importFile(file: File) {
  const { id } = await jobHandlers.import(
    { ...at, body: { file, mode: 'upsert', key: 'id' } },
    context,
  )
  for (;;) {
    const job = await jobHandlers.get(
      { params: { id }, query: undefined, body: undefined },
      context,
    )
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

/** Values of each field as users may have saved them, edge cases first. */
const word = fc.oneof(
  fc.constantFrom(
    '=1+1',
    "'=x",
    '+86',
    '@a',
    'a,b',
    '0012',
    '  两端',
    '换\n行',
    '<b>&"',
    '_x0041_',
    '１２',
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter(
      (s) => s.trim() !== '' && !/[\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/.test(s),
    ),
)
const item = fc.constantFrom('1', '2', '3')
function maybe<T>(value: fc.Arbitrary<T>, empty: WireValue | [] = null) {
  return fc.option(value, { nil: empty as never, freq: 4 })
}
const day = fc
  .date({ min: new Date('1901-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((d) => d.toISOString())

const kinds: Readonly<Record<string, (attrName: string) => fc.Arbitrary<unknown>>> = {
  // A field of one line takes no line break.
  input: () => maybe(word.map((text) => text.replace(/[\n\u2028\u2029]/g, ' '))),
  textarea: () => maybe(word),
  inputNumber: () =>
    maybe(
      fc.oneof(
        fc.integer({ min: -9999, max: 9999 }),
        fc.integer({ min: -999, max: 999 }).map((n) => n / 4),
      ),
    ),
  rate: () => maybe(fc.integer({ min: 0, max: 5 })),
  select: () =>
    maybe(
      item.map((id) => [id]),
      [],
    ),
  radio: () =>
    maybe(
      item.map((id) => [id]),
      [],
    ),
  multiSelect: () => fc.uniqueArray(item, { maxLength: 3 }),
  checkbox: () => fc.uniqueArray(item, { maxLength: 3 }),
  switch: () => fc.constantFrom('0', '1'),
  date: () => maybe(day.map((d) => d.slice(0, 10))),
  datetime: () => maybe(day.map((d) => `${d.slice(0, 10)} ${d.slice(11, 19)}`)),
  year: () => maybe(day.map((d) => d.slice(0, 4))),
  time: () => maybe(day.map((d) => d.slice(11, 19))),
}

it('changes nothing when nothing was edited, and exactly what was, over every kind of field', async () => {
  const entity = await fixture.registry.get('10000', 'T_SAMPLE')
  const fields = entity.fields.filter(
    ({ definition }) =>
      kinds[definition.uiType] !== undefined &&
      definition.dictType !== 1 &&
      definition.isAdd === 1 &&
      definition.isEdit === 1 &&
      definition.attrName !== 'id' &&
      definition.isExport === 1,
  )
  const arbitrary = fc.record(
    Object.fromEntries(
      fields.map(({ definition }) => [
        definition.attrName,
        kinds[definition.uiType]?.(definition.attrName) ?? fc.constant(null),
      ]),
    ),
  )
  const rejected: string[] = []
  let saved = 0
  for (const [i, values] of fc.sample(arbitrary, { numRuns: 60, seed: 20_261 }).entries()) {
    // Values that the form refuses cannot be in a record.
    await Promise.resolve(
      entityDataHandlers.create({ ...at, body: { ...values, code: `R${i}` } }, context),
    ).then(
      () => {
        saved += 1
      },
      (error: unknown) => {
        rejected.push(String(error))
      },
    )
  }
  expect(saved, rejected[0]).toBeGreaterThan(30)
  const before = await rowsNow()
  for (const format of ['xlsx', 'csv', 'ndjson'] as const) {
    const job = await importFile(await exportForRoundTrip(format))
    expect(job, JSON.stringify(job.errors[0])).toMatchObject({
      status: 'done',
      inserted: 0,
      updated: 0,
      failed: 0,
      skipped: before.length,
    })
    expect(await rowsNow()).toEqual(before)
  }
  // Each edit is an ndjson line as the terminal sends it: one field of one record.
  const edits = fc.sample(
    fc.record({
      row: fc.nat(before.length - 1),
      field: fc.nat(fields.length - 1),
      values: arbitrary,
    }),
    { numRuns: 25, seed: 77 },
  )
  let [made, refused] = [0, 0]
  for (const { row, field, values } of edits) {
    const attrName = fields[field]?.definition.attrName ?? ''
    const all = await rowsNow()
    const stored = all[row]
    if (stored === undefined || attrName === 'code') continue
    const edit = JSON.stringify({ id: stored.id, [attrName]: values[attrName] ?? null })
    const job = await importFile(new File([edit], 'edit.ndjson'))
    if (job.status === 'failed') {
      expect(job.errors[0]?.attrName, job.message ?? '').toBe(attrName)
      refused += 1
      continue
    }
    made += 1
    const now = await rowsNow()
    const differing = Object.keys(stored).filter(
      (key) => JSON.stringify(now[row]?.[key]) !== JSON.stringify(stored[key]),
    )
    expect(differing.filter((key) => key !== attrName)).toEqual([])
    expect(job.updated).toBe(differing.length)
    expect(now.filter((_each, i) => i !== row)).toEqual(all.filter((_each, i) => i !== row))
  }
  expect(made).toBeGreaterThan(refused)
}, 120_000)
