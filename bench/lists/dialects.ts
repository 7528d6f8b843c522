// The requests that each contestant takes for the calls that are compared.
import { tag } from './people.ts'

/** Parameters of a page of the list. */
export interface Asked {
  readonly pageNum: number
  readonly city?: string
  readonly name?: string
  readonly note?: string
  readonly sort?: 'score'
}
export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}
interface PageAnswer {
  readonly records: readonly { readonly id: string | number }[]
  readonly total: number | null
}
interface Dialect {
  readonly page: (asked: Asked, size: number) => Request
  /** The rows of a page by their ids, and the total, null where there is none. */
  readonly readPage: (body: unknown) => { readonly ids: string[]; readonly total: number | null }
  readonly read: (id: string) => Request
  readonly create: (row: object) => Request
  /** @param row as read, with its changes */
  readonly update: (row: { readonly id: string; readonly grade: number }) => Request
}

/** The columns of a list in the product. */
const listed = 'id,version,code,name,city,grade,score,born,phone,note'

export const dialects = {
  ours: {
    page: ({ pageNum, sort, ...queries }, size) => ({
      method: 'POST',
      path: `/api/entity/${tag}/data/page`,
      body: {
        pageSize: size,
        pageNum,
        queries,
        sorts: sort === undefined ? [] : [{ column: sort, asc: false }],
      },
    }),
    readPage: (body) => {
      const { records, total } = (body as { data: PageAnswer }).data
      return { ids: records.map(({ id }) => String(id)), total }
    },
    read: (id) => ({ method: 'GET', path: `/api/entity/${tag}/data/${id}` }),
    create: (row) => ({ method: 'POST', path: `/api/entity/${tag}/data`, body: row }),
    update: (row) => ({ method: 'PUT', path: `/api/entity/${tag}/data/${row.id}`, body: row }),
  },
  bare: {
    page: (asked) => ({ method: 'POST', path: '/page', body: asked }),
    readPage: (body) => {
      const { records, total } = body as PageAnswer
      return { ids: records.map(({ id }) => String(id)), total }
    },
    read: (id) => ({ method: 'GET', path: `/row/${id}` }),
    create: (row) => ({ method: 'POST', path: '/row', body: row }),
    update: (row) => ({ method: 'PUT', path: `/row/${row.id}`, body: row }),
  },
  // https://directus.io/docs/guides/connect/query-parameters
  directus: {
    page: ({ pageNum, sort, city, name, note }, size) => {
      const filter = {
        ...(city !== undefined && { city: { _eq: city } }),
        ...(name !== undefined && { name: { _contains: name } }),
        ...(note !== undefined && { note: { _contains: note } }),
      }
      const query = new URLSearchParams({
        fields: listed,
        limit: String(size),
        page: String(pageNum),
        sort: sort === undefined ? '-id' : '-score,-id',
        meta: 'filter_count',
        filter: JSON.stringify(filter),
      })
      return { method: 'GET', path: `/items/bench_person?${query}` }
    },
    readPage: (body) => {
      const { data, meta } = body as {
        data: PageAnswer['records']
        meta: { filter_count: number }
      }
      return { ids: data.map(({ id }) => String(id)), total: Number(meta.filter_count) }
    },
    read: (id) => ({ method: 'GET', path: `/items/bench_person/${id}?fields=${listed}` }),
    create: (row) => ({ method: 'POST', path: `/items/bench_person?fields=${listed}`, body: row }),
    update: ({ id, ...row }) => ({
      method: 'PATCH',
      path: `/items/bench_person/${id}?fields=${listed}`,
      body: row,
    }),
  },
} as const satisfies Record<string, Dialect>
export type Kind = keyof typeof dialects
