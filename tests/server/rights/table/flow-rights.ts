// The table of rights: flows. Students have none here; tests/server/flows decide on rows that have one.
import { may, type RouteRow, student } from '../aims.ts'
import type { RouteName } from '../world.ts'

export const flowRights = {
  'flow.read': {
    right: may('view'),
    aims: {
      '': {
        ok: 404,
        send: async (world) => ({ params: { tag: student, id: await world.student('own') } }),
      },
    },
  },
  'flow.send': {
    right: may('view'),
    aims: {
      '': {
        ok: 404,
        send: async (world) => ({
          params: { tag: student, id: await world.student('own'), event: 'APPROVE' },
          body: { version: '0.1' },
        }),
      },
    },
  },
  'flow.todo': { right: 'staff', aims: { '': { ok: 200, send: () => ({ body: {} }) } } },
  // Each decision is answered by itself.
  'flow.decide': {
    right: 'staff',
    aims: {
      '': {
        ok: 200,
        send: async (world) => ({
          body: {
            items: [
              { tag: student, id: await world.student('own'), event: 'APPROVE', version: '0.1' },
            ],
          },
        }),
        answers: ({ data }) =>
          (data as { results: readonly { ok: boolean }[] }).results.some(({ ok }) => ok)
            ? 'it decided without a flow'
            : null,
      },
    },
  },
} satisfies Partial<Record<RouteName, RouteRow>>
