// Settings of a school are rows of SYS_PARAM, checked on every way that writes them
// (docs/rules/contract.md#settings-of-a-school).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { installBase } from '../../../apps/server/src/start/install/install-base.ts'
import { toCsv, importFile, waitForJob } from '../../support/imports.ts'
import { setSetting, settingRow } from '../../support/settings.ts'
import { catchProblem } from '../../support/student.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

const params = { tag: 'SYS_PARAM' }
const openSettingsDatabase = () => app.services.database.kysely
const captureIssue = async (call: Promise<unknown>) => (await catchProblem(call)).issues[0]
const storedValue = async (code: string) => (await settingRow(admin, code))['value']

const bad: readonly (readonly [code: string, value: string, msg: string])[] = [
  ['STAFF_IDLE_MINUTES', '481', '不能大于 480'],
  ['STAFF_IDLE_MINUTES', '5', '不能小于 10'],
  ['STAFF_IDLE_MINUTES', 'soon', '请输入正确的正整数'],
  ['SCHOOL_SITE', 'javascript:alert(1)', '须为 http、https 地址或以 / 开头的本站路径'],
  ['SCHOOL_SITE', '//elsewhere.example', '须为 http、https 地址或以 / 开头的本站路径'],
  ['SCHOOL_SITE_EN', 'data:text/html,x', '须为 http、https 地址或以 / 开头的本站路径'],
]

describe('a value that does not fit its setting is refused', () => {
  it.each(bad)('by the form: %s = %s', async (code, value, msg) => {
    const before = await settingRow(admin, code)
    expect(await captureIssue(setSetting(admin, code, value))).toEqual({
      path: 'value',
      rule: 'range',
      msg,
    })
    expect(await settingRow(admin, code)).toEqual(before)
  })

  it.each(bad)('in a new row: %s = %s', async (code, value, msg) => {
    const { id } = await settingRow(admin, code)
    await admin.entityData.remove({ params: { ...params, ids: id } })
    const body = { code, name: code, value }
    expect(await captureIssue(admin.entityData.create({ params, body }))).toMatchObject({ msg })
    await admin.history.restore({ params: { ...params, ids: id } })
  })

  it.each(bad)('by an import: %s = %s', async (code, value, msg) => {
    const { id } = await settingRow(admin, code)
    const before = await storedValue(code)
    const { id: jobId } = await importFile(admin, 'SYS_PARAM', toCsv(`id,值\n${id},"${value}"\n`), {
      mode: 'update',
    })
    await admin.job.resume({ params: { id: jobId }, body: { onError: 'skip' } })
    const job = await waitForJob(admin, jobId)
    expect([job.failed, job.errors.map((error) => error.msg)]).toEqual([1, [msg]])
    expect(await storedValue(code)).toBe(before)
  })

  it.each(bad)('by a bulk change: %s = %s', async (code, value, msg) => {
    const { id } = await settingRow(admin, code)
    const started = await admin.bulk.update({ params, body: { ids: [id], set: { value } } })
    const job = await vi.waitFor(
      async () => {
        const looked = await admin.bulk.get({ params: { id: started.id } })
        expect(looked.status).toBe('paused')
        return looked
      },
      { timeout: 45_000 },
    )
    expect([job.changed, job.failed]).toEqual([0, 1])
    expect(job.refused[0]?.errors[0]).toMatchObject({ attrName: 'value', msg })
    await admin.bulk.cancel({ params: { id: started.id } })
  })

  it('when a row of an earlier version leaves the recycle bin', async () => {
    const { id } = await settingRow(admin, 'SCHOOL_SITE')
    await admin.entityData.remove({ params: { ...params, ids: id } })
    const put = (value: string) =>
      openSettingsDatabase()
        .updateTable('sys.param')
        .set({ value })
        .where('tenant_id', '=', '10000')
        .where('id', '=', id)
        .execute()
    await put('javascript:alert(1)')
    const restored = admin.history.restore({ params: { ...params, ids: id } })
    expect((await catchProblem(restored)).code).toBe(42200)
    await put('https://www.example.edu.cn')
    await admin.history.restore({ params: { ...params, ids: id } })
  })
})

it('takes what fits, and an empty value for the default', async () => {
  await setSetting(admin, 'SCHOOL_SITE', '/about')
  expect((await app.client('').student.school({})).schoolSite).toBe('/about')
  await setSetting(admin, 'SCHOOL_SITE', 'https://www.example.edu.cn')
  await setSetting(admin, 'STAFF_IDLE_MINUTES', '480')
  await setSetting(admin, 'STAFF_IDLE_MINUTES', '')
  expect(await storedValue('STAFF_IDLE_MINUTES')).toBeNull()
})

it('does not tell an address that was stored before they were checked', async () => {
  await openSettingsDatabase()
    .updateTable('sys.param')
    .set({ value: 'javascript:alert(1)' })
    .where('tenant_id', '=', '10000')
    .where('code', '=', 'SCHOOL_SITE')
    .execute()
  expect((await app.client('').student.school({})).schoolSite).toBe('')
  await setSetting(admin, 'SCHOOL_SITE', 'https://www.example.edu.cn')
})

it('leaves other parameters of a school alone', async () => {
  const body = { code: 'OWN_NUMBER', name: '自定', value: 'javascript:' }
  const { id } = await admin.entityData.create({ params, body })
  expect(await storedValue('OWN_NUMBER')).toBe('javascript:')
  await admin.entityData.remove({ params: { ...params, ids: id } })
})

it('lists all settings with meaning, bounds and default, in both languages', async () => {
  const describedIn = async (locale: 'zh-CN' | 'en') => {
    const { records } = await app
      .client(admin.token, locale)
      .entityData.page({ params, body: { pageSize: 100 } })
    return new Map(records.map((row) => [row['code'], row]))
  }
  const [zh, en] = [await describedIn('zh-CN'), await describedIn('en')]
  const code = 'PROOF_MINUTES'
  expect(zh.get(code)).toMatchObject({
    value: null,
    description: [
      { id: code, name: '验证身份后多久内可做重要操作而不必再验证（5 至 60 分钟，默认 60）' },
    ],
  })
  expect(en.get(code)?.['description']).toEqual([
    {
      id: code,
      name: 'How long a proof of identity counts for acts that matter most (5 to 60 minutes, default 60)',
    },
  ])
})

it('adds at a start what a school lacks, once, and renews the descriptions', async () => {
  const { id } = await settingRow(admin, 'PROOF_MINUTES')
  await admin.entityData.remove({ params: { ...params, ids: id } })
  await openSettingsDatabase()
    .updateTable('sys.dict_item')
    .set({ name: '旧的说明' })
    .where('tenant_id', '=', '0')
    .where('item_code', '=', 'PROOF_MINUTES')
    .execute()
  const start = () => installBase({ ...app.services, adminPasswordHash: async () => 'none' })
  await start()
  await start()
  const row = await settingRow(admin, 'PROOF_MINUTES')
  expect([row.id === id, row['value']]).toEqual([false, null])
  expect(row['description']).toMatchObject([{ name: expect.stringContaining('5 至 60 分钟') }])
})
