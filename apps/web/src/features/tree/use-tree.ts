import { limits } from '@jiaowu/api/limits'
import { type Problem, toProblem, problemText } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { parseJson } from '@jiaowu/api/exact-json'
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { type Branch, type Branches, foundBranches, type Place } from './lines.ts'

export type Tree = ReturnType<typeof useTree>

interface State {
  readonly branches: Branches
  readonly open: ReadonlySet<string>
  /** False: the search had more hits than the server returns. */
  readonly complete: boolean
  readonly problem: Problem | null
  readonly busy: boolean
}
interface Store {
  readonly state: State
  readonly setState: Dispatch<SetStateAction<State>>
  /** The state of the last render, for callbacks. */
  readonly latestRef: RefObject<State>
}

type ReadBranch = (parent: string, pageNum?: number) => Promise<Branch>

const initial: State = {
  branches: new Map(),
  open: new Set(),
  complete: true,
  problem: null,
  busy: false,
}

/**
 * The unfolded part of a tree, or the hits of a filter with their ancestors. A new `stamp` reads
 * the rows again; unfolded rows stay unfolded. Replies to an older request are ignored.
 */
export function useTree(
  tag: string,
  queries: Readonly<Record<string, unknown>>,
  stamp: unknown,
  onMoved: () => void,
) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const [state, setState] = useState<State>(initial)
  const latestRef = useRef(state)
  latestRef.current = state
  const store: Store = { state, setState, latestRef }
  const readBranch = useCallback<ReadBranch>(
    (parent, pageNum = 1) =>
      api.tree
        .children({ params: { tag }, body: { parent, pageNum } })
        .then(({ records, total }) => ({ nodes: records, total })),
    [api, tag],
  )
  const showProblem = useCallback(
    (error: unknown) => toast('danger', problemText(locale, toProblem(error)), { lasting: true }),
    [toast, locale],
  )
  const { isSearch, reload } = useReading(tag, queries, stamp, store, readBranch)
  /** Resolves with true if the row was moved. */
  const move = useCallback(
    async ({ id, version }: Row, place: Place): Promise<boolean> => {
      try {
        await api.tree.move({ params: { tag, id }, body: { version: version ?? '', ...place } })
        toast('success', t('tree.moved'))
        await reload(place.parent === '0' ? [] : [place.parent])
        onMoved()
        return true
      } catch (error) {
        showProblem(error)
        void reload()
        return false
      }
    },
    [api, tag, toast, t, reload, showProblem, onMoved],
  )
  return { ...state, isSearch, ...useFolding(store, readBranch, showProblem), move, reload }
}

/**
 * Reads the open branches, or searches when there are queries; repeats when the queries or `stamp`
 * change.
 */
function useReading(
  tag: string,
  queries: Readonly<Record<string, unknown>>,
  stamp: unknown,
  { setState, latestRef }: Store,
  readBranch: ReadBranch,
) {
  const { api } = useApi()
  const lastRequest = useRef(0)
  const key = JSON.stringify(queries)
  const isSearch = key !== '{}'
  const reload = useCallback(
    async (alsoOpen: readonly string[] = []) => {
      lastRequest.current += 1
      const request = lastRequest.current
      setState((now) => ({ ...now, busy: true }))
      const read = async (): Promise<Pick<State, 'branches' | 'open' | 'complete'>> => {
        if (isSearch) {
          const { records, complete } = await api.tree.search({
            params: { tag },
            body: { queries: parseJson(key) as Record<string, unknown> },
          })
          return { ...foundBranches(records), complete }
        }
        const open = new Set([...latestRef.current.open, ...alsoOpen])
        const entries = ['0', ...open].map(
          async (parent) => [parent, await readBranch(parent)] as const,
        )
        return { branches: new Map(await Promise.all(entries)), open, complete: true }
      }
      try {
        const found = await read()
        if (request === lastRequest.current) setState({ ...found, problem: null, busy: false })
      } catch (error) {
        if (request === lastRequest.current)
          setState((now) => ({ ...now, problem: toProblem(error), busy: false }))
      }
    },
    [api, tag, key, isSearch, readBranch, setState, latestRef],
  )
  const wasSearch = useRef(isSearch)
  useEffect(() => {
    // Rows that a search unfolded fold again when it ends: the user did not unfold them.
    if (wasSearch.current !== isSearch) {
      wasSearch.current = isSearch
      latestRef.current = initial
    }
    void reload()
  }, [reload, stamp, isSearch, latestRef])
  return { isSearch, reload }
}

/** Folding and unfolding rows, and reading the next page of a branch. */
function useFolding(
  { setState, latestRef }: Store,
  readBranch: ReadBranch,
  showProblem: (error: unknown) => void,
) {
  const unfold = useCallback(
    async (id: string) => {
      if (!latestRef.current.branches.has(id)) {
        try {
          const branch = await readBranch(id)
          setState((now) => ({ ...now, branches: new Map([...now.branches, [id, branch]]) }))
        } catch (error) {
          showProblem(error)
          return
        }
      }
      setState((now) => ({ ...now, open: new Set([...now.open, id]) }))
    },
    [readBranch, showProblem, setState, latestRef],
  )
  const fold = useCallback(
    (id: string) =>
      setState((now) => ({ ...now, open: new Set([...now.open].filter((each) => each !== id)) })),
    [setState],
  )
  const foldAll = useCallback(
    () => setState((now) => ({ ...now, open: new Set<string>() })),
    [setState],
  )
  const more = useCallback(
    async (parent: string) => {
      const known = latestRef.current.branches.get(parent)
      try {
        const next = await readBranch(
          parent,
          Math.floor((known?.nodes.length ?? 0) / limits.treePage) + 1,
        )
        const knownIds = new Set(known?.nodes.map(({ row }) => row.id))
        const nodes = [
          ...(known?.nodes ?? []),
          ...next.nodes.filter(({ row }) => !knownIds.has(row.id)),
        ]
        setState((now) => ({
          ...now,
          branches: new Map([...now.branches, [parent, { nodes, total: next.total }]]),
        }))
      } catch (error) {
        showProblem(error)
      }
    },
    [readBranch, showProblem, setState, latestRef],
  )
  return { unfold, fold, foldAll, more }
}
