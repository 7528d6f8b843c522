// The table of rights: tables that designers make and change.
import { bare, code, type RouteRow } from '../aims.ts'
import type { RouteName } from '../world.ts'

/** Another school's changes of the table that all schools share. */
const tag = 'EDU_MAJOR'

export const tableRights = {
  'design.tableState': {
    right: code('entity:design'),
    aims: {
      '': {
        ok: 200,
        send: () => ({ params: { tag } }),
        answers: ({ data }, who) =>
          (data as { changes: readonly unknown[] }).changes.length === 0
            ? null
            : `it shows ${who} the changes of another school`,
      },
      'an unknown one': { ok: 404, send: () => ({ params: { tag: 'NONE' } }) },
    },
  },
  'design.changeTable': bare(code('entity:design'), 422),
  'design.columnSources': {
    right: code('entity:design'),
    aims: {
      '': {
        ok: 200,
        answers: ({ text }) => (text.includes('SYS_USER') ? 'it offers accounts' : null),
      },
    },
  },
  'design.makeTable': bare(code('entity:design'), 422),
  'design.supplyColumns': bare(code('entity:design'), 422),
} satisfies Partial<Record<RouteName, RouteRow>>
