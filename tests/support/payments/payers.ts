import { createClient } from '@jiaowu/api/client/client'
import type { TestApp } from '@jiaowu/server/testing'
import { startSession } from '@jiaowu/server/testing/pay'
import { sql } from 'kysely'
import type { Api } from '../student.ts'

export interface Payer {
  readonly id: string
  readonly api: Api
}

/**
 * Students of a tenant that is enlarged as needed, each signed in. Sessions are inserted directly:
 * signing in by SMS is tested elsewhere.
 */
export async function sessionsFor(
  services: TestApp['services'],
  count: number,
): Promise<{ id: string; token: string }[]> {
  const {
    database: { kysely },
    newId,
  } = services
  const rows = await kysely
    .selectFrom('biz.student')
    .select('id')
    .where('tenant_id', '=', '10000')
    .orderBy('id')
    .limit(count)
    .execute()
  const missing = Array.from({ length: Math.max(0, count - rows.length) }, () => newId())
  if (missing.length > 0) {
    await sql`insert into biz.student (id, tenant_id, student_no, name, gender, faculty_id, major_id, class_id) select new.id, s.tenant_id, 'R' || new.id, '压测学生', s.gender, s.faculty_id, s.major_id, s.class_id
      from unnest(${missing}::int8[]) as new(id)
        cross join (select * from biz.student where tenant_id = 10000 order by id limit 1) s`.execute(
      kysely,
    )
    // A grade each: without grades no transcript can be issued.
    await sql`insert into biz.grade (id, tenant_id, student_id, course_id, faculty_id, term, score, credit, grade_point) select -new.id, g.tenant_id, new.id, g.course_id, g.faculty_id, g.term, g.score, g.credit, g.grade_point
      from unnest(${missing}::int8[]) as new(id)
        cross join (select * from biz.grade where tenant_id = 10000 order by id limit 1) g`.execute(
      kysely,
    )
  }
  const ids = [...rows.map(({ id }) => id), ...missing]
  await sql`update biz.student set account_mobile = '137' || lpad(numbered.n::text, 8, '0') from (select id, row_number() over (order by id) as n from biz.student where id = any(${ids}::int8[])) numbered where biz.student.id = numbered.id`.execute(
    kysely,
  )
  const sessions: { id: string; token: string }[] = []
  for (const id of ids)
    sessions.push({
      id,
      token: (
        await startSession(
          services,
          {
            userId: id,
            tenant: '10000',
            kind: 'student',
            ip: '127.0.0.1',
            userAgent: null,
            by: 'sms',
          },
          async () => {},
        )
      ).access,
    })
  return sessions
}

export function payerApi(baseURL: string, token: string, fetch?: typeof globalThis.fetch): Api {
  return createClient({
    baseURL,
    locale: () => 'zh-CN',
    ...(fetch === undefined ? {} : { fetch }),
    authorise: () => Promise.resolve({ token, account: '', accountId: '' }),
  })
}

/** The same for an app that listens on no port. */
export async function signInPayers(app: TestApp, count: number): Promise<Payer[]> {
  return (await sessionsFor(app.services, count)).map(({ id, token }) => ({
    id,
    api: payerApi('http://jiaowu.test/api', token, (input, init) =>
      app.fetch(new Request(input, init)),
    ),
  }))
}

export function shuffleItems<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j] as T, result[i] as T]
  }
  return result
}

/** Runs the jobs with so many at once. */
export async function together(
  jobs: readonly (() => Promise<unknown>)[],
  atOnce: number,
): Promise<void> {
  const rest = jobs.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const job of rest) await job()
    }),
  )
}
