import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { toCsv, importFile, waitForJob } from '../../support/imports.ts'

let app: TestApp
type Api = Awaited<ReturnType<TestApp['signIn']>>
let [admin, clerk, viewer, registrar, foreign] = [] as unknown as [Api, Api, Api, Api, Api]
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  clerk = await app.signIn('clerk')
  viewer = await app.signIn('viewer')
  registrar = await app.signIn('registrar')
  foreign = await app.signIn('admin', '10001')
})
afterAll(() => app.close())

const heading = '学号,姓名,性别,院系,专业,学籍状态'
const formatStudentLine = (no: string, name = '权') => `${no},${name},男,信息工程学院,软件工程,在读`
const faculties = (code: string, name: string) => toCsv(`院系代码,院系名称\n${code},${name}\n`)
const refusedWith = (code: number) => ({ problem: { code } })

it('needs the rights of its mode', async () => {
  await expect(
    importFile(viewer, 'EDU_STUDENT', toCsv(`${heading}\n${formatStudentLine('9001')}\n`)),
  ).rejects.toMatchObject(refusedWith(403))
  await expect(
    importFile(viewer, 'EDU_STUDENT', toCsv(`${heading}\n${formatStudentLine('9001')}\n`), {
      mode: 'update',
      key: 'studentNo',
    }),
  ).rejects.toMatchObject(refusedWith(403))
  await expect(importFile(clerk, 'EDU_FACULTY', faculties('Z1', '无'))).rejects.toMatchObject(
    refusedWith(403),
  )
  await expect(importFile(clerk, 'SYS_ROLE', toCsv('角色代码\nX\n'))).rejects.toMatchObject(
    refusedWith(403),
  )
  await expect(importFile(admin, 'SYS_LOG', toCsv('a\nb\n'))).rejects.toMatchObject(
    refusedWith(403),
  )
  await expect(importFile(admin, 'NO_SUCH', toCsv('a\nb\n'))).rejects.toMatchObject(
    refusedWith(404),
  )
  await expect(importFile(app.client(''), 'EDU_STUDENT', toCsv('a\nb\n'))).rejects.toMatchObject({
    problem: { kind: 'session' },
  })
  for (const mode of ['insert', 'update', 'upsert'] as const) {
    expect(
      await importFile(
        clerk,
        'EDU_STUDENT',
        toCsv(`${heading}\n${formatStudentLine('9002', mode)}\n`),
        {
          mode,
          ...(mode === 'insert' ? {} : { key: 'studentNo' }),
        },
      ),
    ).toMatchObject({ status: 'done', failed: 0 })
  }
})

it('writes only the fields that the role may write, as a form does', async () => {
  const {
    records: [row],
  } = await admin.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { queries: { studentNo: '9002' } },
  })
  const number = await importFile(clerk, 'EDU_STUDENT', toCsv(`id,学号\n${row?.id},9003\n`), {
    mode: 'update',
  })
  expect(number).toMatchObject({
    status: 'failed',
    key: 'id',
    errors: [{ column: '学号', rule: 'notWritable' }],
  })
  const same = await importFile(
    clerk,
    'EDU_STUDENT',
    toCsv(`id,学号,姓名\n${row?.id},9002,改名\n`),
    { mode: 'update' },
  )
  expect(same).toMatchObject({ status: 'done', updated: 1 })
  for (const column of ['tenant_id', 'version', 'createUser', 'password_hash', 'constructor']) {
    expect(
      await importFile(
        clerk,
        'EDU_STUDENT',
        toCsv(`${heading},${column}\n${formatStudentLine('9004')},1\n`),
      ),
      column,
    ).toMatchObject({ status: 'failed', total: 0 })
  }
})

it('stays within the tenant, in rows and in choices', async () => {
  const {
    records: [own],
  } = await admin.entityData.page({ params: { tag: 'EDU_FACULTY' }, body: { pageSize: 1 } })
  expect(
    await importFile(foreign, 'EDU_FACULTY', toCsv(`id,院系名称\n${own?.id},抢\n`), {
      mode: 'update',
    }),
  ).toMatchObject({ status: 'failed', errors: [{ rule: 'noRecord' }] })
  await importFile(foreign, 'EDU_FACULTY', faculties('TX', '他校学院'))
  expect(
    await importFile(admin, 'EDU_MAJOR', toCsv('专业代码,专业名称,院系\nTM1,甲,他校学院\n')),
  ).toMatchObject({
    status: 'failed',
    errors: [{ column: '院系', rule: 'choice', suggestions: [] }],
  })
  // The same code in two tenants is no clash.
  expect(await importFile(admin, 'EDU_FACULTY', faculties('TX', '本校学院'))).toMatchObject({
    status: 'done',
    inserted: 1,
  })
})

it('stops when the right is withdrawn before the rows are written', async () => {
  const job = await importFile(registrar, 'EDU_FACULTY', faculties('RV', '撤'), {
    pauseAt: 'review',
  })
  expect(job).toMatchObject({ status: 'paused', phase: 'review' })
  const {
    records: [user],
  } = await admin.entityData.page({
    params: { tag: 'SYS_USER' },
    body: { queries: { account: 'registrar' } },
  })
  const stored = await admin.entityData.get({ params: { tag: 'SYS_USER', id: user?.id ?? '' } })
  const roles =
    Object.entries(stored).find(
      ([, value]) =>
        Array.isArray(value) &&
        value.some(({ name }: { name: string }) => /教务|registrar/i.test(name)),
    )?.[0] ?? 'roleIds'
  await admin.entityData.update({
    params: { tag: 'SYS_USER', id: stored.id },
    body: { version: stored.version, [roles]: [] },
  })
  await expect(registrar.job.resume({ params: { id: job.id }, body: {} })).rejects.toMatchObject(
    refusedWith(403),
  )
  expect(
    (
      await admin.entityData.page({
        params: { tag: 'EDU_FACULTY' },
        body: { queries: { code: 'RV' } },
      })
    ).total,
  ).toBe(0)
})

it('lets only administrators create administrators, and stores passwords as hashes', async () => {
  const made = await importFile(
    admin,
    'SYS_USER',
    toCsv('账号,姓名,密码\nimported,导入,Sheet-pass-2026\n'),
    { confirm: true },
  )
  expect(made, JSON.stringify(made.errors)).toMatchObject({ status: 'done', inserted: 1 })
  const { records } = await admin.job.rows({ params: { id: made.id }, query: { verdict: 'fresh' } })
  expect(JSON.stringify(records)).not.toContain('Sheet-pass-2026')
  const { rows } = await import('kysely').then(({ sql }) =>
    sql<{
      payload: unknown
    }>`select payload from sys.job_row where job_id = ${made.id}::int8`.execute(
      app.services.database.kysely,
    ),
  )
  expect(JSON.stringify(rows)).not.toContain('Sheet-pass-2026')
  const weak = await importFile(admin, 'SYS_USER', toCsv('账号,姓名,密码\nweakling,弱,123456\n'), {
    confirm: true,
  })
  expect(weak).toMatchObject({ status: 'failed', errors: [{ column: '密码' }] })
})

it('limits the jobs that one user has in the queue', async () => {
  const runs = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      clerk.job.import({
        params: { tag: 'EDU_STUDENT' },
        body: {
          file: toCsv(
            `${heading}\n${Array.from({ length: 400 }, (_none, k) => formatStudentLine(`Q${i}-${k}`)).join('\n')}\n`,
          ),
        },
      }),
    ),
  )
  const refused = runs.filter((run) => run.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const run of refused) expect(run.reason).toMatchObject(refusedWith(429))
  for (const run of runs) if (run.status === 'fulfilled') await waitForJob(clerk, run.value.id)
})
