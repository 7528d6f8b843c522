// The table of rights: flows, and applications of students. tests/server/flows decide on rows that have one.
import { bare, may, type RouteRow, student } from '../aims.ts'
import type { RouteName } from '../world.ts'

const deferral = 'EDU_DEFERRAL'
/** Answers as for a row that does not exist. */
const unknownApplication: RouteRow = {
  right: 'student',
  aims: {
    'an unknown one': {
      ok: 404,
      send: () => ({
        params: { tag: deferral, id: '1', event: 'SUBMIT' },
        body: { version: '1.1' },
      }),
    },
  },
}
/** Whoever may not view students. */
const blind = { none: 403, other: 403, designer: 403 } as const

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
  'flow.people': { right: 'staff', aims: { '': { ok: 200, send: () => ({ query: { q: '' } }) } } },
  // Whoever is not asked is refused, whatever rights they have: tests/server/flows/hands.test.ts.
  'flow.transfer': {
    right: 'staff',
    aims: {
      '': {
        ok: { all: 422, ...blind },
        send: async (world) => ({
          body: {
            tag: student,
            id: await world.student('own'),
            version: '0.1',
            to: '0',
            note: '出差',
          },
        }),
      },
    },
  },
  'flow.add': {
    right: 'staff',
    aims: {
      '': {
        ok: { all: 422, ...blind },
        send: async (world) => ({
          body: {
            tag: student,
            id: await world.student('own'),
            version: '0.1',
            way: 'beside',
            to: '0',
          },
        }),
      },
    },
  },
  'flow.copy': {
    right: 'staff',
    aims: {
      '': {
        ok: { all: 422, ...blind },
        send: async (world) => ({
          body: { tag: student, id: await world.student('own'), to: ['0'] },
        }),
      },
    },
  },
  'flow.openCopy': {
    right: 'staff',
    aims: { '': { ok: 404, send: () => ({ params: { id: '1' } }) } },
  },
  'flow.delegations': { right: 'staff', aims: { '': { ok: 200 } } },
  'flow.delegate': {
    right: 'staff',
    aims: {
      '': {
        ok: 422,
        send: () => ({ body: { to: '0', from: '2026-01-01', until: '2026-01-02' } }),
      },
    },
  },
  'flow.endDelegation': {
    right: 'staff',
    aims: { '': { ok: 404, send: () => ({ params: { id: '1' } }) } },
  },
  'paper.download': {
    right: may('view'),
    aims: {
      '': {
        ok: 404,
        send: async (world) => ({
          params: { tag: student, id: await world.student('own'), number: 'N-2026-000001' },
        }),
      },
    },
  },
  'paper.print': {
    right: may('view'),
    aims: {
      '': {
        ok: 404,
        send: async (world) => ({ params: { tag: student, id: await world.student('own') } }),
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
  'application.kinds': bare('student', 200),
  'application.list': bare('student', 200),
  'application.get': unknownApplication,
  'application.print': {
    right: 'student',
    aims: {
      'an unknown one': { ok: 404, send: () => ({ params: { tag: deferral, id: '1' } }) },
    },
  },
  'application.create': {
    right: 'student',
    aims: {
      'without its fields': { ok: 422, send: () => ({ params: { tag: deferral }, body: {} }) },
    },
  },
  'application.update': unknownApplication,
  'application.send': unknownApplication,
  'application.choices': {
    right: 'student',
    aims: {
      'an unknown field': {
        ok: 422,
        send: () => ({ params: { tag: deferral }, body: { fieldId: 'none' } }),
      },
    },
  },
} satisfies Partial<Record<RouteName, RouteRow>>
