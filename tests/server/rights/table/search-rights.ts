// The table of rights: the search over all records.
import { may, student, type RouteRow } from '../aims.ts'
import { buildSecretNumber, codesOf, type RouteName } from '../world.ts'
import type { Subject } from '../world-types.ts'

/** Subjects that view students: those with the right, and administrators of the first school. */
function viewsStudents(who: Subject): boolean {
  const codes = codesOf[who] ?? []
  return codes.includes('*') || codes.includes('entity:EDU_STUDENT:view')
}

const findTags = (data: unknown) =>
  (data as { records: readonly { tag: string }[] }).records.filter(({ tag }) => tag === student)

export const searchRights = {
  'search.find': {
    right: 'staff',
    aims: {
      'a name within their rows': {
        ok: 200,
        send: async (world) => {
          await world.student('own', '探查甲')
          return { body: { searchKey: '探查甲' } }
        },
        answers: ({ data }, who) =>
          findTags(data).length > 0 === (viewsStudents(who) && who !== 'foreign')
            ? null
            : 'it finds what they may not view, or misses what they may',
      },
      'a name outside of their rows': {
        ok: 200,
        send: async (world) => {
          await world.student('hidden', '探查乙')
          return { body: { searchKey: '探查乙' } }
        },
        answers: ({ data }, who) =>
          findTags(data).length > 0 === (viewsStudents(who) && who !== 'foreign' && who !== 'rows')
            ? null
            : 'it finds rows outside of the scope, or misses some',
      },
      'the ID number, which is hidden for some': {
        ok: 200,
        send: async (world) => {
          await world.student('own')
          return { body: { searchKey: buildSecretNumber(1) } }
        },
        answers: ({ data, text }, who) =>
          text.includes(buildSecretNumber(1))
            ? 'it holds an ID number without a mask'
            : who === 'fields' && findTags(data).length > 0
              ? 'it finds by the hidden field'
              : null,
      },
    },
  },
  'search.titles': {
    right: 'staff',
    aims: {
      'a row outside of their rows': {
        ok: 200,
        send: async (world) => ({
          body: { records: [{ tag: student, id: await world.student('hidden') }] },
        }),
        answers: ({ data }, who) =>
          findTags(data).length > 0 === (viewsStudents(who) && who !== 'foreign' && who !== 'rows')
            ? null
            : 'it names rows outside of the scope, or leaves some out',
      },
    },
  },
  'search.related': {
    right: may('view'),
    aims: {
      '': {
        ok: 200,
        answers: ({ text }, who) =>
          text.includes('EDU_GRADE') ===
          ['*', 'entity:EDU_GRADE:view'].some((code) => codesOf[who]?.includes(code))
            ? null
            : 'it names lists that they may not view, or leaves some out',
      },
    },
  },
} satisfies Partial<Record<RouteName, RouteRow>>
