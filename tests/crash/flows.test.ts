import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { facultyFlow, facultyTag, saveFacultyFlow } from '../flows/faculty-flow.ts'
import { killableServer } from '../support/killable-server.ts'
import { copyOfDemo } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'

const server = killableServer({}, copyOfDemo)

// ROUNDS=100 kills more often.
const rounds = Number(process.env.ROUNDS ?? 2)

/**
 * The decision makes another row, a document and a message, which are there exactly when the case is decided.
 */
const flow = {
  ...facultyFlow,
  documents: {
    LETTER: { title: { zh: '批复', en: 'Letter' }, paragraphs: ['同意设立{row.name}。'] },
  },
  states: {
    ...facultyFlow.states,
    review: {
      ...facultyFlow.states.review,
      on: {
        ...facultyFlow.states.review.on,
        APPROVE: {
          ...facultyFlow.states.review.on.APPROVE,
          ask: [],
          effects: [
            {
              create: {
                tag: facultyTag,
                set: { code: "concat('T', row.code)", name: 'row.name', remarks: 'row.code' },
              },
            },
            { document: 'LETTER' },
            { notify: { who: [{ applicant: true }], template: 'NOTICE' } },
          ],
        },
      },
      after: {
        '1 h': {
          target: 'refused',
          effects: [{ notify: { who: [{ applicant: true }], template: 'NOTICE' } }],
        },
      },
    },
  },
}

let isSaved = false
async function saveOnce(admin: Parameters<typeof saveFacultyFlow>[0]): Promise<void> {
  if (!isSaved) await saveFacultyFlow(admin, flow)
  isSaved = true
}

it(
  'decides whole or not at all when the server is killed during decisions',
  async () => {
    const ids = new Map<string, string>()
    const acknowledged = new Set<string>()
    let [sent, told] = [0, 0]
    for (let round = 0; round < rounds; round += 1) {
      const running = await server.start()
      const [{ api: admin }, { api: clerk }] = await Promise.all([
        staffClient(running),
        staffClient(running, 'registrar'),
      ])
      await saveOnce(admin)
      if (round === 0) told = (await clerk.messages.mine({ query: {} })).unread
      let alive = true
      const decide = async () => {
        while (alive) {
          sent += 1
          const code = `K${String(sent).padStart(4, '0')}`
          try {
            const { id } = await clerk.entityData.create({
              params: { tag: facultyTag },
              body: { code, name: `院系 ${code}` },
            })
            ids.set(code, id)
            const params = { tag: facultyTag, id }
            const { version } = await clerk.flow.read({ params })
            const submitted = await clerk.flow.send({
              params: { ...params, event: 'SUBMIT' },
              body: { version },
            })
            await admin.flow.send({
              params: { ...params, event: 'APPROVE' },
              body: { version: submitted.version },
              headers: { 'idempotency-key': `decide-${code}` },
            })
            acknowledged.add(code)
          } catch {
            // The server is gone; what it has done is looked at below.
          }
        }
      }
      const deciders = [decide(), decide(), decide()]
      while (acknowledged.size < (round + 1) * 3) await sleep(5)
      await sleep((round * 397) % 300)
      await server.kill()
      alive = false
      await Promise.all(deciders)
    }
    const running = await server.start()
    const { api: clerk } = await staffClient(running, 'registrar')
    let { api } = await staffClient(running)
    const { unread } = await clerk.messages.mine({ query: { kind: 'flow' } })
    const { records } = await api.entityData.page({
      params: { tag: facultyTag },
      body: { pageSize: 1000 },
    })
    const remarksByCode = new Map(records.map((row) => [String(row['code']), row['remarks']]))
    const wrong: string[] = []
    const numbers: string[] = []
    let done = 0
    for (const [no, [code, id]] of [...ids].entries()) {
      // The server counts the calls of a session.
      if (no % 200 === 199) ({ api } = await staffClient(running))
      const {
        state,
        isDone,
        log,
        documents = [],
      } = await api.flow.read({ params: { tag: facultyTag, id } })
      const decisions = log.filter(({ event }) => event === 'APPROVE').length
      const hasTwin = remarksByCode.has(`T${code}`)
      numbers.push(...documents.map(({ number }) => number))
      done += Number(isDone)
      if (
        isDone !== hasTwin ||
        decisions !== Number(isDone) ||
        documents.length !== Number(isDone) ||
        (acknowledged.has(code) && state !== 'done')
      )
        wrong.push(`${code}: ${state}, ${String(decisions)} decisions, ${hasTwin ? 'a' : 'no'} row`)
    }
    console.log(
      `${rounds} kills: ${ids.size} cases, ${acknowledged.size} decisions acknowledged, ${[...remarksByCode.keys()].filter((code) => code.startsWith('TK')).length} rows made`,
    )
    expect(acknowledged.size).toBeGreaterThan(rounds)
    expect(wrong).toEqual([])
    expect(new Set(numbers).size).toBe(done)
    expect(unread - told).toBe(done)
  },
  90_000 + rounds * 15_000,
)

it(
  'fires each timer once, with all that it does, when the server is killed while timers fire',
  async () => {
    const ids: string[] = []
    await server.kill()
    {
      const running = await server.start()
      await saveOnce((await staffClient(running)).api)
      const { api: clerk } = await staffClient(running, 'registrar')
      for (let no = 0; no < 20; no += 1) {
        const code = `D${String(no).padStart(3, '0')}`
        const { id } = await clerk.entityData.create({
          params: { tag: facultyTag },
          body: { code, name: `院系 ${code}` },
        })
        const params = { tag: facultyTag, id }
        const { version } = await clerk.flow.read({ params })
        await clerk.flow.send({ params: { ...params, event: 'SUBMIT' }, body: { version } })
        ids.push(id)
      }
    }
    await server.kill()
    await server.withDatabase(async ({ kysely }) => {
      await sql`update sys.flow_timer set next_at = now() where done_at is null`.execute(kysely)
    })
    for (let round = 0; round < rounds; round += 1) {
      await server.start()
      await sleep((round * 211) % 900)
      await server.kill()
    }
    const { api: clerk } = await staffClient(await server.start(), 'registrar')
    const readCases = () =>
      Promise.all(ids.map((id) => clerk.flow.read({ params: { tag: facultyTag, id } })))
    await expect
      .poll(async () => (await readCases()).filter(({ isDone }) => !isDone).length, {
        timeout: 60_000,
        interval: 500,
      })
      .toBe(0)
    const cases = await readCases()
    expect(
      cases.map(({ state, log }) => [state, log.filter(({ by }) => by === null).length]),
    ).toEqual(ids.map(() => ['refused', 1]))
    const { records: messages } = await clerk.messages.mine({ query: { kind: 'flow' } })
    const told = messages.flatMap(({ row }) =>
      row !== null && ids.includes(row.id) ? [row.id] : [],
    )
    expect(told.toSorted()).toEqual(ids.toSorted())
  },
  120_000 + rounds * 15_000,
)
