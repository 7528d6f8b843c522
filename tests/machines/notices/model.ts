import type { Notice } from '@jiaowu/machines/notices/ports'
import { type NoticesContext, noticesMachine } from '@jiaowu/machines/notices/machine'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { answerFailure } from '../problems.ts'

export interface NoticesSeen {
  readonly at: string
  readonly titles: string
  readonly open: string | null
  readonly problem: number | null
  readonly offers: string
}

const noticesModel = modelSpec({
  machine: noticesMachine,
  input: () => undefined,
  events: {
    'notice.open': { a: { id: 'a' }, b: { id: 'b' }, gone: { id: 'x' } },
    'notice.close': bare,
    'notices.retry': bare,
  },
  outcomes: {
    notices: {
      two: { ok: true, output: [notice('a'), notice('b')] },
      none: { ok: true, output: [] },
      down: answerFailure(503, { message: 'down' }),
    },
  },
  unhandled: 'all',
  key: (s) =>
    JSON.stringify([
      s.value,
      s.context.notices.length,
      s.context.openId,
      s.context.problem?.code ?? null,
    ]),
  project: (s): NoticesSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].join(),
    titles: s.context.notices.map(({ title }) => title).join(),
    open: s.context.openId,
    problem: s.context.problem?.code ?? null,
    offers: [
      ...(['notice.close', 'notices.retry'] as const).filter((type) => s.can({ type })),
      ...(s.can({ type: 'notice.open', id: 'a' }) ? ['open'] : []),
    ].join(),
  }),
})

function notice(id: string): Notice {
  return {
    id,
    title: `n${id}`,
    issueTime: '2026-01-01 08:00:00',
    publisher: '教务处',
    content: `<p>${id}</p>`,
  }
}

export const noticesModels: MachineModel<NoticesSeen> = {
  parts: { notices: noticesModel },
  rules: [
    {
      name: 'the dialog shows a notice of the list, and only then',
      kind: 'state',
      holds: ({ snapshot }) => {
        const { openId, notices } = snapshot.context as NoticesContext
        return snapshot.matches('open') ? notices.some(({ id }) => id === openId) : openId === null
      },
    },
    {
      name: 'a reason shows only when the list did not come',
      kind: 'state',
      holds: ({ snapshot }) =>
        !snapshot.matches('list') || (snapshot.context as NoticesContext).problem === null,
    },
    {
      name: 'from everywhere the list can be reached',
      kind: 'reach',
      to: ({ snapshot }) => snapshot.matches('list'),
    },
  ],
}
