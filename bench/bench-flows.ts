// Decisions of a flow beside updates of the same rows: processor time of the server, which embeds its database.
import { type Line, ms, readProcessorTime, times } from './measure.ts'
import type { Running } from './place.ts'

const decisions = 400
const tag = 'EDU_STATUS_CHANGE'

/** An applicant submits and withdraws, which is two decisions, and changes the reason as often. */
export async function benchFlows({ api, pid }: Running): Promise<Line[]> {
  const { records } = await api.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { pageSize: 1 },
  })
  const { id } = await api.entityData.create({
    params: { tag },
    body: {
      student: [{ id: records[0]?.id ?? '', name: '' }],
      kind: [{ id: 'suspend', name: '' }],
      term: [{ id: '2025-2026-2', name: '' }],
      reason: '因病休养',
    },
  })
  const params = { tag, id }
  let { version } = await api.flow.read({ params })
  const decide = async (event: string) => {
    ;({ version } = await api.flow.send({ params: { ...params, event }, body: { version } }))
  }
  const measure = async (work: (no: number) => Promise<unknown>, count: number) => {
    for (let no = 0; no < 40; no += 1) await work(no)
    const before = readProcessorTime(pid)
    for (let no = 0; no < count; no += 1) await work(no)
    return (readProcessorTime(pid) - before) / count
  }
  const decision = await measure((no) => decide(no % 2 === 0 ? 'SUBMIT' : 'WITHDRAW'), decisions)
  let row = await api.entityData.get({ params })
  const update = await measure(async (no) => {
    row = await api.entityData.update({
      params,
      body: { version: row.version ?? 0, reason: `因病休养 ${String(no)}` },
    })
  }, decisions)
  return [
    {
      what: 'a decision of a flow, CPU',
      ours: ms(decision),
      bare: `${ms(update)} an update`,
      ratio: times(decision, update),
      note: 'case, log, tasks, history, audit line; embedded database',
    },
  ]
}
