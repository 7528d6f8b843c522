// A custom SQL that runs for minutes: what other users notice, and what becomes of the statement
// (docs/rules/security.md#i3). The embedded engine runs in its thread, as in production, because
// there statements share one connection.
import { ApiProblem } from '@jiaowu/api/problem'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { t } from '@jiaowu/api/texts/index'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

type Client = Awaited<ReturnType<TestApp['signIn']>>
const at = { params: { tag: 'EDU_CLASS' } } as const
/** 400 KB for each of 230,400 pairs of grades; the planner sees a cheap join. */
const hostile = `select a.id, b.id as name from biz.grade a, biz.grade b
  where length(replace('${'a'.repeat(1000)}' || a.id || b.id, 'a', '${'b'.repeat(400)}')) < 0`

let app: TestApp
let admin: Client
let viewer: Client
beforeAll(async () => {
  app = await testApp({}, { inThread: true })
  admin = await app.signIn('admin')
  viewer = await app.signIn('viewer')
}, 120_000)
afterAll(() => app.close())

function withHostileField(entity: SavedEntity) {
  return {
    ...entity,
    fields: [
      ...entity.fields.filter(({ attrName }) => attrName !== 'extra'),
      {
        id: '-1',
        attrName: 'extra',
        uiLabel: '附加',
        uiType: 'select',
        isAdd: 1,
        dictType: 2,
        dictValue: hostile,
      },
    ],
  }
}
async function saveHostileField(): Promise<SavedEntity> {
  return await admin.design.save({ ...at, body: withHostileField(await admin.design.load(at)) })
}
function findExtraFieldId({ fields }: SavedEntity): string {
  return fields.find(({ attrName }) => attrName === 'extra')?.id ?? ''
}

async function lookUpVerdict(fieldId: string): Promise<string> {
  return await admin.entityData.lookup({ ...at, body: { fieldId } }).then(
    () => 'answered',
    (error: unknown) => {
      if (!(error instanceof ApiProblem)) throw error
      return error.message
    },
  )
}

/** Lists students all the time until `work` ends. Returns the longest wait in milliseconds. */
async function listedDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const ended = work.finally(() => {
    isOver = true
  })
  // Each page is awaited, so that a failed one fails the test.
  do {
    const asked = performance.now()
    await viewer.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { queries: {}, pageSize: 20 },
    })
    longest = Math.max(longest, performance.now() - asked)
  } while (!isOver)
  await ended
  return longest
}

it('is ended, runs once for all who ask, and is switched off at its second time', async () => {
  const saved = await saveHostileField()
  const id = findExtraFieldId(saved)
  const first = Promise.all([
    lookUpVerdict(id),
    lookUpVerdict(id),
    lookUpVerdict(id),
    lookUpVerdict(id),
  ])
  const waited = await listedDuring(first)
  console.info(`the longest wait for a list during a hostile statement: ${Math.round(waited)} ms`)
  expect(await first).toEqual(Array.from({ length: 4 }, () => t('zh-CN', 'sql.slow')))
  const counted = await app.services.database.kysely
    .selectFrom('sys.custom_sql_cut')
    .select('cuts')
    .execute()
  expect(counted).toEqual([{ cuts: 1 }])
  expect(await lookUpVerdict(id)).toBe(t('zh-CN', 'sql.slow'))
  expect(await lookUpVerdict(id)).toBe(t('zh-CN', 'sql.off'))

  const { records } = await admin.messages.mine({})
  expect(records[0]).toMatchObject({
    title: t('zh-CN', 'sql.offTitle'),
    content: expect.stringContaining('EDU_CLASS'),
  })
  const findings = (await admin.design.load(at)).findings.map((found) => [found.id, found.path])
  expect(findings).toContainEqual(['entity.E039', 'fields.extra.dictValue'])
  const again = await saveHostileField()
  expect(again.findings.map((found) => found.id)).not.toContain('entity.E039')
  expect(await lookUpVerdict(findExtraFieldId(again))).toBe(t('zh-CN', 'sql.slow'))
}, 120_000)
