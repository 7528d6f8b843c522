import type { EntityListPorts } from '@jiaowu/machines/entity-list/ports'
import { isRefused, must, expectSame } from '../../surfaces/server/checks.ts'
import {
  answers,
  type CallOf,
  type Calls,
  refuseEndedSession,
  forbidden,
  prepareEndings,
  refuses,
} from '../../surfaces/server/endings.ts'
import type { fileSink } from '../../surfaces/server/file-sink.ts'
import { linkTo } from '../../surfaces/server/fixtures.ts'
import { createRow, type RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'
import {
  expectedPage,
  pageFaults,
  type Question,
  findQuestionName,
  questions,
  samplePage,
} from './server-pages.ts'

type Call<Name extends keyof EntityListPorts> = CallOf<EntityListPorts, Name>
/** The rows left after another user has deleted the others; they do not fill a page. */
const few = ['01', '02', '03', '04']

interface List {
  /** The client of another user. */
  readonly api: Api
  readonly rows: RowSet
  /** Rows that refer to those of the list. */
  readonly linked: RowSet
  readonly sink: ReturnType<typeof fileSink>
  /** Number of rows that existed before the run. */
  readonly others: number
  /** The list opens with it. */
  readonly search: string
}

export function buildListCalls(list: List): Calls<EntityListPorts> {
  const { rows } = list
  return {
    loadConfig: {
      multi: answers(rows.config, { check: ({ tag }) => expectSame('tag', rows.tag, tag) }),
      gone: refuses({ codes: [403, 404] }, ({ tag }) => ({ input: { tag: `${tag}_NONE` } })),
    },
    loadPage: loadPage(list),
    removeRows: removeRows(list),
    exportRows: exportRows(list),
  }
}

function loadPage({ api, rows, others, search }: List): Call<'loadPage'> {
  const shows = (asked: Question, there?: readonly string[]) => ({
    check: (page: Awaited<ReturnType<EntityListPorts['loadPage']>>) =>
      pageFaults(api, rows, asked, page, there),
  })
  const named = (question: string): Call<'loadPage'>[string] =>
    answers(
      ({ query }) =>
        findQuestionName(rows, query, search) === question ? samplePage(rows, query, others) : null,
      async (asked) => {
        await rows.ensure()
        return shows(asked)
      },
    )
  /** The same query after another user has deleted rows. */
  const leaving = (left: readonly string[]): Call<'loadPage'>[string] =>
    answers(
      ({ query }) => samplePage(rows, query, others, left),
      async (asked) => {
        await rows.ensure()
        await rows.remove(rows.aliases.filter((alias) => !left.includes(alias)))
        return shows(asked, left)
      },
    )
  return {
    ...Object.fromEntries(questions.map((question) => [question, named(question)])),
    all: leaving(few),
    none: leaving([]),
    pastEnd: answers(
      ({ query }) => ({
        ...samplePage(rows, query, others),
        records: [],
        total: query.withTotal === false ? null : (query.pageNum - 1) * query.pageSize,
      }),
      async (asked) => {
        const { pageNum, pageSize } = asked.query
        const gone = expectedPage(rows, { ...asked.query, pageNum: 1, pageSize: 1000 })
          .names.slice((pageNum - 1) * pageSize)
          .map((called) => called.slice(rows.stem.length))
        await rows.remove(gone)
        return shows(
          asked,
          rows.aliases.filter((alias) => !gone.includes(alias)),
        )
      },
    ),
    ended: refuseEndedSession(),
  }
}

function removeRows({ api, rows, linked }: List): Call<'removeRows'> {
  /** Rows that a path deleted are created again under other ids; the present ones are meant. */
  const present = async ({
    tag,
    ids,
  }: {
    readonly tag: string
    readonly ids: readonly string[]
  }) => {
    await rows.ensure()
    return { tag, ids: ids.map((id) => rows.idOf(rows.aliasOf(id))) }
  }
  const get = (id: string) => api.entityData.get({ params: { tag: rows.tag, id } })
  const isGone = (id: string) => isRefused(`reading deleted row ${rows.aliasOf(id)}`, get(id), 404)
  const stillThere = async (id: string) =>
    expectSame('the row that was not deleted', id, (await get(id)).id)
  return prepareEndings(present, {
    done: answers(
      ({ ids }) => ({ deleted: ids.length }),
      ({ ids }) => ({
        check: ({ deleted }) => [expectSame('deleted', ids.length, deleted), ids.map(isGone)],
        undo: async () => rows.forget(ids),
      }),
    ),
    inUse: refuses(409, async ({ ids }) => {
      const link = linkTo(linked, rows.tag).attrName
      const user = await createRow(api, linked.config, `${rows.stem}u`, {
        [link]: [{ id: ids[0] ?? '', name: '' }],
      })
      return {
        check: () => ids.map(stillThere),
        undo: () => api.entityData.remove({ params: { tag: linked.tag, ids: user.id } }),
      }
    }),
    // All or nothing: a row that another user deleted keeps the others
    // (docs/rules/contract.md#entity-data).
    gone: refuses(404, async ({ ids: [first = '', ...rest] }) => {
      await rows.remove([rows.aliasOf(first)])
      return { check: () => rest.map(stillThere) }
    }),
    forbidden: forbidden(),
  })
}

function exportRows({ rows, sink }: List): Call<'exportRows'> {
  return {
    saved: answers(undefined, async ({ query, format, only }) => {
      await rows.ensure()
      const isChosen = (id: string) =>
        only === null || ('ids' in only ? only.ids.includes(id) : !only.except.includes(id))
      const chosen = rows.aliases.filter((alias) => isChosen(rows.idOf(alias)))
      const { names } = expectedPage(rows, { ...query, pageNum: 1, pageSize: 1000 }, chosen)
      return {
        check: () => {
          const lines = sink.takeLines()
          if (format !== 'csv') return []
          return [
            expectSame('lines of the sheet', names.length + 1, lines.length),
            names.map((called) =>
              must(
                lines.some((line) => line.includes(called)),
                `the sheet lacks ${called}`,
              ),
            ),
          ]
        },
      }
    }),
    refused: forbidden(),
  }
}
