// The table of rights: items of dictionaries under their own paths.
import { list, may, reached, readRecords, type Answer, type RouteRow } from '../aims.ts'
import type { RouteName } from '../world.ts'
import type { Subject } from '../world-types.ts'

const tag = 'SYS_DICT_ITEM'

/** Everybody who may list items sees those of the first school, except another school. */
function onlyOfTheirSchool(names: readonly unknown[], who: Subject): string | null {
  const holdsOurs = names.some((name) => String(name).startsWith('词条'))
  return holdsOurs === (who !== 'foreign') ? null : 'it holds the wrong items'
}

function buildUploadRow(): RouteRow {
  return {
    right: 'signed',
    aims: {
      '': {
        ok: { all: 403, full: 422, foreign: 422 },
        send: () => ({ body: { file: new File(['x'], 'a.xlsx') } }),
      },
    },
  }
}

export const dictionaryRights = {
  'dictionaryItem.page': {
    right: may('view', tag),
    aims: {
      '': {
        ok: 200,
        send: ({ things }) => ({ body: { ...list, queries: { dictCode: things.dictionary } } }),
        answers: (answer: Answer, who: Subject) =>
          onlyOfTheirSchool(
            readRecords(answer).map(({ name }) => name),
            who,
          ),
      },
    },
  },
  'dictionaryItem.create': {
    right: may('add', tag),
    aims: {
      // Another school gets an item of its own under the same code.
      '': {
        ok: 200,
        send: ({ things }, who) => ({
          body: { dictCode: things.dictionary, itemCode: `c-${who}`, name: `新词条 ${who}` },
        }),
      },
    },
  },
  'dictionaryItem.update': {
    right: may('update', tag),
    aims: {
      'of the first school': {
        ok: reached,
        send: async (world) => ({
          body: { id: await world.item(), version: 1, name: '改名' },
        }),
      },
    },
  },
  'dictionaryItem.remove': {
    right: may('delete', tag),
    aims: {
      'of the first school': {
        ok: reached,
        send: async (world) => ({ query: { ids: await world.item() } }),
      },
    },
  },
  'dictionaryItem.export': {
    right: may('export', tag),
    aims: {
      '': {
        ok: 200,
        send: ({ things }) => ({
          body: { queries: { dictCode: things.dictionary }, format: 'ndjson' },
        }),
        answers: ({ lines }: Answer, who: Subject) =>
          onlyOfTheirSchool(
            lines.map(({ name }) => name),
            who,
          ),
      },
    },
  },
  'dictionaryItem.import': buildUploadRow(),
  'dictionaryItem.preview': buildUploadRow(),
} satisfies Partial<Record<RouteName, RouteRow>>
