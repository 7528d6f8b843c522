// Notices of flows: to the bell, by e-mail and by SMS, once for each person and event.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { sendDue, stopQueue } from '@jiaowu/server/testing/rounds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Draft } from '../../flows/good-flows.ts'
import { eventAt, stateAt } from '../../flows/holes.ts'
import { type Api, createFlowSchool, type FlowSchool, refusedBy, tag } from './flow-school.ts'

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
  // The rounds are the tests' own.
  await stopQueue(school.app.services, 'notice')
  const { database, newId } = school.app.services
  await sql`
    update sys.app_user set email = account || '@school.test', mobile = '13800001111'
    where tenant_id = 10000 and account like 'fix-%'`.execute(database.kysely)
  await sql`
    insert into sys.sms_template (id, tenant_id, code, name, content, status)
    values (${newId()}::int8, 10000, 'MARK_DONE', '更正办结', '{title}：{event}，现为{state}。', '1')`.execute(
    database.kysely,
  )
  await saveFlow((flow) => {
    eventAt(flow, 'office', 'APPROVE').effects?.push(
      { notify: { who: [{ applicant: true }], template: 'NOTICE' } },
      { notify: { who: [{ role: 'SECRETARY', within: 'row.faculty' }], template: 'MARK_DONE' } },
    )
    stateAt(flow, 'faculty').on = {
      ...stateAt(flow, 'faculty').on,
      REMIND: {
        name: { zh: '催办', en: 'Remind' },
        who: [{ applicant: true }],
        effects: [{ notify: { who: 'asked', template: 'REMIND' } }],
      },
    }
  })
})
afterAll(() => school.app.close())

async function saveFlow(change: (flow: Draft) => void): Promise<void> {
  const { design } = school.admin
  const stored = await design.load({ params: { tag } })
  const flow = structuredClone(stored.options.flow) as Draft
  change(flow)
  const { id = '' } = stored
  await design.update({
    params: { id },
    body: { ...stored, options: { ...stored.options, flow: flow as Flow } },
  })
}

async function decideAs(by: Api, id: string, event: string, note?: string): Promise<void> {
  const { version } = await by.flow.read({ params: { tag, id } })
  await by.flow.send({
    params: { tag, id, event },
    body: { version, ...(note !== undefined && { note }) },
  })
}

const listMine = async (by: Api, id: string) => {
  const { records } = await by.messages.mine({ query: { unread: '1' } })
  return records.filter(({ row }) => row?.id === id)
}

async function readOutbox(name: string): Promise<readonly Record<string, unknown>[]> {
  const { dataDir } = school.app.services.settings
  const lines = await readFile(join(dataDir, 'outbox', name), 'utf8').catch(() => '')
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('tells those whom the flow names, each once, by every way that is open to them', async () => {
  const { teacher, secretary, stranger, office, make, app } = school
  const id = await make(teacher)
  await decideAs(teacher, id, 'SUBMIT')
  await decideAs(secretary, id, 'APPROVE')
  expect(await listMine(teacher, id)).toEqual([])
  await decideAs(office, id, 'APPROVE')
  const [notice, ...more] = await listMine(teacher, id)
  expect(more).toEqual([])
  expect(notice).toMatchObject({ kind: 'flow', row: { tag, id } })
  expect(notice?.title).toContain('成绩更正：同意')
  expect(notice?.content).toContain('office “同意”，现为“已更正”')
  expect((await listMine(secretary, id)).map(({ title }) => title)).toEqual(['更正办结'])
  expect(await listMine(stranger, id)).toEqual([])
  // `everything` is a secretary of the faculty too.
  expect(await sendDue(app.services)).toBe(5)
  expect(await sendDue(app.services)).toBe(0)
  const mails = await readOutbox('mail.jsonl')
  expect(mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
    ['fix-everything@school.test', '更正办结'],
    ['fix-secretary@school.test', '更正办结'],
    ['fix-teacher@school.test', notice?.title],
  ])
  // The school has a template of this code: it goes by SMS too.
  const texts = await readOutbox('sms.jsonl')
  const text = ['13800001111', expect.stringMatching(/^更正 \d+：同意，现为已更正。$/)]
  expect(texts.map((each) => [each['mobile'], each['text']])).toEqual([text, text])
})

it('sends copies to those whom a decision names', async () => {
  await saveFlow((flow) => {
    eventAt(flow, 'office', 'REJECT').effects = [{ copy: { who: [{ applicant: true }] } }]
  })
  const { teacher, secretary, office, make } = school
  const id = await make(teacher)
  await decideAs(teacher, id, 'SUBMIT')
  await decideAs(secretary, id, 'APPROVE')
  await decideAs(office, id, 'REJECT', '材料不全')
  const listCopies = async (by: Api) => {
    const { records } = await by.flow.todo({ body: { mine: 'copied' } })
    return records.filter((each) => each.id === id).map(({ copy }) => copy?.isRead)
  }
  expect([await listCopies(teacher), await listCopies(secretary)]).toEqual([[false], []])
})

it('reminds those who are asked, once a day, which decides nothing', async () => {
  const { teacher, secretary, everything, office, make } = school
  const id = await make(teacher)
  await decideAs(teacher, id, 'SUBMIT')
  await decideAs(teacher, id, 'REMIND')
  await decideAs(teacher, id, 'REMIND')
  for (const by of [secretary, everything])
    expect((await listMine(by, id)).map(({ kind }) => kind)).toEqual(['remind'])
  expect(await listMine(office, id)).toEqual([])
  expect(await listMine(teacher, id)).toEqual([])
  const { log, state } = await teacher.flow.read({ params: { tag, id } })
  expect([state, log.map(({ event }) => event)]).toEqual([
    'faculty',
    ['SUBMIT', 'REMIND', 'REMIND'],
  ])
  const { records } = await secretary.flow.todo({ body: {} })
  expect(records.map((each) => each.id)).toContain(id)
})

it('leaves out the ways that a person has switched off', async () => {
  const { make, app, teacher, secretary } = school
  expect(await secretary.messages.choices({})).toMatchObject({ open: ['message', 'mail', 'sms'] })
  const choices = (['message', 'mail'] as const).map(
    (channel) => ({ kind: 'remind', channel, isOn: false }) as const,
  )
  const answer = await secretary.messages.choose({ body: { choices } })
  expect(answer.choices.filter(({ isOn }) => !isOn)).toEqual(choices)
  await sendDue(app.services)
  const before = await readOutbox('mail.jsonl')
  const id = await make(teacher)
  await decideAs(teacher, id, 'SUBMIT')
  await decideAs(teacher, id, 'REMIND')
  expect(await listMine(secretary, id)).toEqual([])
  await sendDue(app.services)
  const after = (await readOutbox('mail.jsonl')).slice(before.length)
  expect(after.map(({ to }) => to)).toEqual(['fix-everything@school.test'])
})

it('refuses a notice of a template that the school does not have, and to a role that it does not have', async () => {
  const refuse = async (who: readonly { role: string }[], template: string) =>
    (
      await refusedBy(
        saveFlow((flow) => {
          eventAt(flow, 'office', 'REJECT').effects = [
            { notify: { who: [...who], template } },
          ] as never
        }),
      )
    ).texts[0]
  expect(await refuse([{ role: 'OFFICE' }], 'NONE')).toContain('通知模板“NONE”不存在')
  expect(await refuse([{ role: 'NO_SUCH' }], 'NOTICE')).toContain('角色“NO_SUCH”在本校不存在')
})

it('tries a mail again later, and gives up after eight times', async () => {
  const { make, app, teacher } = school
  let shift = 0
  const services = {
    ...app.services,
    now: () => new Date(app.services.now().getTime() + shift),
    settings: {
      ...app.services.settings,
      mailDriver: 'smtp' as const,
      // Nothing listens on the port of TCP's discard service here.
      smtp: { host: '127.0.0.1', port: 9, security: 'plain' as const, login: null },
    },
  }
  const id = await make(teacher)
  await decideAs(teacher, id, 'SUBMIT')
  await decideAs(teacher, id, 'REMIND')
  const readTasks = async () =>
    (
      await sql<{ attempts: number; done_at: string | null; failure: string }>`
        select attempts, done_at, failure from sys.notice_task
        where tenant_id = 10000 and channel = 'mail' and event_key like 'remind:%'
          and attempts > 0 and failure is not null`.execute(app.services.database.kysely)
    ).rows
  expect(await sendDue(services)).toBe(1)
  expect(await sendDue(services)).toBe(0)
  expect(await readTasks()).toMatchObject([
    { attempts: 1, done_at: null, failure: 'NotSent ESOCKET' },
  ])
  for (let no = 2; no <= 8; no += 1) {
    shift += 3_600_000
    expect(await sendDue(services)).toBe(1)
  }
  shift += 3_600_000
  expect(await sendDue(services)).toBe(0)
  expect((await readTasks()).map(({ attempts, done_at }) => [attempts, done_at !== null])).toEqual([
    [8, true],
  ])
})

it('reminds again on another day', async () => {
  const { make, app, teacher } = school
  const id = await make(teacher)
  await decideAs(teacher, id, 'SUBMIT')
  await decideAs(teacher, id, 'REMIND')
  app.advance(24 * 3_600_000)
  await decideAs(await app.signIn('fix-teacher'), id, 'REMIND')
  expect((await listMine(await app.signIn('fix-everything'), id)).length).toBe(2)
})
