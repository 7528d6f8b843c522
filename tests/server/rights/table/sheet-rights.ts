// The table of rights: entry sheets.
import { may, type RouteRow } from '../aims.ts'
import type { RouteName } from '../world.ts'

const grades = { tag: 'EDU_GRADE' }
const emptySheet = { course: '1', term: '2000-2001-1' }

export const sheetRights = {
  // Entry sheets; this one has no rows.
  'entry.read': {
    right: may('view', 'EDU_GRADE'),
    aims: { '': { ok: 200, send: () => ({ params: grades, body: { by: emptySheet } }) } },
  },
  'entry.open': {
    right: may('view', 'EDU_GRADE'),
    aims: { '': { ok: 200, send: () => ({ params: grades }) } },
  },
  'entry.submit': {
    right: may('update', 'EDU_GRADE'),
    aims: {
      '': { ok: 409, send: () => ({ params: grades, body: { by: emptySheet, entered: 0 } }) },
    },
  },
  // Records are asked for by at least one value.
  'entry.add': {
    right: may('add', 'EDU_GRADE'),
    aims: {
      '': { ok: 422, send: () => ({ params: grades, body: { by: emptySheet, from: {} } }) },
    },
  },
  'entry.unlock': {
    right: may('update', 'EDU_GRADE'),
    aims: {
      '': {
        ok: 409,
        send: () => ({ params: grades, body: { by: emptySheet, reason: '登记有误' } }),
      },
    },
  },
} satisfies Partial<Record<RouteName, RouteRow>>
