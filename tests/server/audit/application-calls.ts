// Applications of a student, for the test that every write has its audit line.
import type { contract } from '@jiaowu/api/contract/contract'
import type { Client } from '@jiaowu/api/endpoint'

interface On {
  readonly student: Client<typeof contract>
}
const params = { tag: 'EDU_STATUS_CHANGE' }
const applyToSuspend = ({ student }: On) =>
  student.application.create({
    params,
    body: {
      kind: [{ id: 'suspend', name: '' }],
      term: [{ id: '2025-2026-2', name: '' }],
      reason: '因病休养',
    },
  })

export const applicationCalls = {
  'application.create': applyToSuspend,
  'application.update': async (on: On) => {
    const { id, row } = await applyToSuspend(on)
    return await on.student.application.update({
      params: { ...params, id },
      body: { reason: '因病休养一年', version: row.version ?? 0 },
    })
  },
  'application.send': async (on: On) => {
    const { id, version } = await applyToSuspend(on)
    return await on.student.application.send({
      params: { ...params, id, event: 'SUBMIT' },
      body: { version },
    })
  },
  'application.choices': 'reads',
} as const
