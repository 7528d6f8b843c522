import type { Page, PageQuery } from '@jiaowu/api'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import { rowFaults } from '../../surfaces/server/rows/row-faults.ts'
import { newValues, type RowSet } from '../../surfaces/server/rows/rows.ts'
import {
  refusedAs,
  refuses,
  same,
  type Scene,
  type Scenes,
} from '../../surfaces/server/server-driver.ts'
import { linkTo } from '../../surfaces/server/server-part.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'

interface Export {
  readonly query: PageQuery
  readonly format: string
  readonly only: { readonly ids: readonly string[] } | { readonly except: readonly string[] } | null
}
export interface Question {
  readonly tag: string
  readonly query: PageQuery
}
/**
 * Queries have names, so that each kind is used on some path: everything, a search, an order,
 * another page.
 */
export const questions = ['two', 'everything', 'found', 'upwards', 'downwards', 'other'] as const
/** The rows left after another user has deleted the others; they do not fill a page. */
export const few = ['01', '02', '03', '04']

export function scenesOf(...args: Parameters<typeof sceneTools>): Scenes {
  const tools = sceneTools(...args)
  return {
    loadConfig: loadConfigScenes(tools),
    loadPage: loadPageScenes(tools),
    removeRows: removeRowsScenes(tools),
    exportRows: exportRowsScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools(
  run: RunContext,
  subject: Subject,
  rows: RowSet,
  children: RowSet,
  sink: ReturnType<typeof fileSink>,
) {
  const stillThere = async (ids: readonly string[]) => {
    const { api } = await run.helper('admin')
    return (
      await Promise.all(
        ids.map(async (id) => {
          const row = await api.entityData.get({ params: { tag: rows.tag, id } })
          return same('the row that was not deleted', id, row.id)
        }),
      )
    ).flat()
  }
  /** Rows that a path deleted are created again under other ids; the present ones are meant. */
  const removing = (make: (ids: readonly string[]) => Promise<Scene> | Scene) =>
    subject.usual(async ({ tag, ids }: { tag: string; ids: readonly string[] }): Promise<Scene> => {
      await rows.ensure()
      const now = ids.map((id) => rows.idOf(rows.aliasOf(id)))
      return { ...(await make(now)), input: { tag, ids: now } }
    })
  const page = subject.usual(async (asked: Question) => {
    await rows.ensure()
    return {
      check: (answer) => pageFaults(run, rows, asked, (answer as { output: Page }).output),
    }
  })
  /** The same query after another user has deleted rows. */
  const leaving = (left: readonly string[]) =>
    subject.usual(async (asked: Question) => {
      await rows.ensure()
      await rows.remove(rows.aliases.filter((alias) => !left.includes(alias)))
      return {
        check: (answer) => pageFaults(run, rows, asked, (answer as { output: Page }).output, left),
      }
    })
  return { run, subject, rows, children, sink, stillThere, removing, page, leaving }
}

function loadConfigScenes({ subject, rows }: SceneTools): Scenes[string] {
  return {
    multi: subject.usual(() => ({
      check: (answer) =>
        same('tag', rows.tag, (answer.ok ? (answer.output as { tag: string }) : { tag: '' }).tag),
    })),
    gone: subject.usual(({ tag }: { tag: string }) => ({
      input: { tag: `${tag}_NONE` },
      check: (answer) => refusedAs(answer, 'refused', 403, 404),
    })),
  }
}

function loadPageScenes({ run, subject, rows, page, leaving }: SceneTools): Scenes[string] {
  return {
    ...Object.fromEntries(questions.map((question) => [question, page])),
    all: leaving(few),
    none: leaving([]),
    pastEnd: subject.usual(async (asked: Question) => {
      const gone = expectedPage(rows, { ...asked.query, pageNum: 1, pageSize: 1000 })
        .names.slice((asked.query.pageNum - 1) * asked.query.pageSize)
        .map((called) => called.slice(rows.stem.length))
      await rows.remove(gone)
      return {
        check: (answer) =>
          pageFaults(
            run,
            rows,
            asked,
            (answer as { output: Page }).output,
            rows.aliases.filter((alias) => !gone.includes(alias)),
          ),
      }
    }),
    ended: subject.ended(),
  }
}

function removeRowsScenes({
  run,
  subject,
  rows,
  children,
  stillThere,
  removing,
}: SceneTools): Scenes[string] {
  return {
    done: removing((ids) => ({
      check: async (answer) => {
        const { api } = await run.helper('admin')
        const lines = [
          ...same(
            'deleted',
            ids.length,
            (answer as { output: { deleted: number } }).output.deleted,
          ),
          ...(
            await Promise.all(
              ids.map((id) =>
                refuses(
                  `reading deleted row ${rows.aliasOf(id)}`,
                  api.entityData.get({ params: { tag: rows.tag, id } }),
                  404,
                ),
              ),
            )
          ).flat(),
        ]
        rows.forget(ids)
        return lines
      },
    })),
    inUse: removing(async (ids) => {
      const { api } = await run.helper('admin')
      const [used = ''] = ids
      const made = await api.entityData.create({
        params: { tag: children.tag },
        body: {
          ...(await newValues(api, children.config, `${rows.stem}u`, {
            [linkTo(children, rows.tag)]: [{ id: used, name: '' }],
          })),
        },
      })
      return {
        check: async (answer) => {
          const lines = [...refusedAs(answer, 'refused', 409), ...(await stillThere(ids))]
          await api.entityData.remove({ params: { tag: children.tag, ids: made.id } })
          return lines
        },
      }
    }),
    // All or nothing: a row that another user deleted keeps the others
    // (docs/rules/contract.md#entity-data).
    gone: removing(async (ids) => {
      const [first = '', ...rest] = ids
      await rows.remove([rows.aliasOf(first)])
      return {
        check: async (answer) => [
          ...refusedAs(answer, 'refused', 404),
          ...(await stillThere(rest)),
        ],
      }
    }),
    forbidden: subject.forbidden(),
  }
}

function exportRowsScenes({ subject, rows, sink }: SceneTools): Scenes[string] {
  return {
    saved: subject.usual(async ({ query, format, only }: Export) => {
      await rows.ensure()
      const chosen = rows.aliases.filter(
        (alias) =>
          only === null ||
          ('ids' in only
            ? only.ids.includes(rows.idOf(alias))
            : !only.except.includes(rows.idOf(alias))),
      )
      return {
        check: () => {
          const { names } = expectedPage(rows, { ...query, pageNum: 1, pageSize: 1000 }, chosen)
          const lines = new TextDecoder().decode(sink.take()).trim().split(/\r?\n/)
          return format === 'csv'
            ? [
                ...same('lines of the sheet', names.length + 1, lines.length),
                ...names
                  .filter((called) => !lines.some((line) => line.includes(called)))
                  .map((called) => `the sheet lacks ${called}`),
              ]
            : []
        },
      }
    }),
    refused: subject.forbidden(),
  }
}

async function pageFaults(
  run: RunContext,
  rows: RowSet,
  { tag, query }: Question,
  page: Page,
  there?: readonly string[],
): Promise<string[]> {
  const seat = [
    ...same('size', query.pageSize, page.size),
    ...same('current', query.pageNum, page.current),
    ...new Set(page.records.flatMap((row) => rowFaults(rows.config, row))),
  ]
  if (!isOurs(rows, query)) {
    // Rows that existed before: another user must see the same.
    const { api } = await run.helper('admin')
    const other = await api.entityData.page({
      params: { tag },
      body: { ...query, sorts: [...query.sorts], queries: { ...query.queries } },
    })
    return [
      ...seat,
      ...same('total', other.total, page.total),
      ...same(
        'rows',
        other.records.map(({ id }) => id),
        page.records.map(({ id }) => id),
      ),
    ]
  }
  const { names, total } = expectedPage(rows, query, there)
  const got = page.records.map((row) => String(row[rows.name]))
  const listed =
    query.sorts.length > 0
      ? same('rows', names, got)
      : [
          ...same('number of rows', names.length, new Set(got).size),
          ...got
            .filter((called) => !rows.aliases.some((alias) => rows.called(alias) === called))
            .map((called) => `rows: ${called} does not fit the search`),
        ]
  return [
    ...seat,
    ...same('total', query.withTotal === false ? null : total, page.total),
    ...listed,
  ]
}

export function isOurs(rows: RowSet, query: PageQuery) {
  return String(query.queries[rows.name] ?? '').startsWith(rows.stem)
}

/**
 * The answer that the server must give for the rows of this run. Without an explicit order it fixes
 * which rows, not their places.
 */
export function expectedPage(
  rows: RowSet,
  { queries, sorts, pageNum, pageSize }: PageQuery,
  there: readonly string[] = rows.aliases,
): { readonly names: readonly string[]; readonly total: number } {
  const wanted = String(queries[rows.name] ?? '')
  const found = there
    .map((alias) => rows.called(alias))
    .filter((called) => called.includes(wanted))
    .sort()
  const [sort] = sorts
  const ordered = sort?.asc === false ? found.reverse() : found
  return { names: ordered.slice((pageNum - 1) * pageSize, pageNum * pageSize), total: found.length }
}
