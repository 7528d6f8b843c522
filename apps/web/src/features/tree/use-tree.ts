import { limits, type Problem, problemOf, problemText, type Row } from '@jiaowu/api'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { type Branch, type Branches, foundBranches, type Place } from './lines.ts'

interface State {
  readonly branches: Branches
  readonly open: ReadonlySet<string>
  readonly complete: boolean
  readonly problem: Problem | null
  readonly busy: boolean
}
const nothing: State = {
  branches: new Map(),
  open: new Set(),
  complete: true,
  problem: null,
  busy: false,
}

/**
 * A tree as far as it is unfolded, or what a filter finds in it. Read again whenever `stamp` is another: what is open stays open.
 * One question at a time counts: what comes late is dropped.
 */
export function useTree(
  tag: string,
  queries: Readonly<Record<string, unknown>>,
  stamp: unknown,
  onMoved: () => void,
) {
  const { api, toast, t, locale } = useApp()
  const [state, setState] = useState<State>(nothing)
  const latest = useRef(state)
  latest.current = state
  const turn = useRef(0)
  const key = JSON.stringify(queries)
  const isSearch = key !== '{}'
  const branchOf = useCallback(
    (parent: string, pageNum = 1): Promise<Branch> =>
      api.tree
        .children({ params: { tag }, body: { parent, pageNum } })
        .then(({ records, total }) => ({ nodes: records, total })),
    [api, tag],
  )

  const read = useCallback(
    async (also: readonly string[] = []) => {
      turn.current += 1
      const mine = turn.current
      setState((now) => ({ ...now, busy: true }))
      try {
        if (isSearch) {
          const { records, complete } = await api.tree.search({
            params: { tag },
            body: { queries: JSON.parse(key) as Record<string, unknown> },
          })
          if (mine === turn.current)
            setState({ ...foundBranches(records), complete, problem: null, busy: false })
          return
        }
        const open = new Set([...latest.current.open, ...also])
        const parents = ['0', ...open]
        const found = new Map<string, Branch>(
          await Promise.all(
            parents.map(async (parent) => [parent, await branchOf(parent)] as const),
          ),
        )
        if (mine === turn.current)
          setState({ branches: found, open, complete: true, problem: null, busy: false })
      } catch (error) {
        if (mine === turn.current)
          setState((now) => ({ ...now, problem: problemOf(error), busy: false }))
      }
    },
    [api, tag, key, isSearch, branchOf],
  )
  const wasSearch = useRef(isSearch)
  useEffect(() => {
    // What a search unfolded is no wish of the person.
    if (wasSearch.current !== isSearch) {
      wasSearch.current = isSearch
      latest.current = nothing
    }
    void read()
  }, [read, stamp, isSearch])

  const told = useCallback(
    (error: unknown) => toast('danger', problemText(locale, problemOf(error)), { lasting: true }),
    [toast, locale],
  )
  const unfold = useCallback(
    async (id: string) => {
      if (!latest.current.branches.has(id)) {
        try {
          const branch = await branchOf(id)
          setState((now) => ({ ...now, branches: new Map([...now.branches, [id, branch]]) }))
        } catch (error) {
          told(error)
          return
        }
      }
      setState((now) => ({ ...now, open: new Set([...now.open, id]) }))
    },
    [branchOf, told],
  )
  const fold = useCallback(
    (id: string) =>
      setState((now) => ({ ...now, open: new Set([...now.open].filter((each) => each !== id)) })),
    [],
  )
  const more = useCallback(
    async (parent: string) => {
      const known = latest.current.branches.get(parent)
      try {
        const next = await branchOf(
          parent,
          Math.floor((known?.nodes.length ?? 0) / limits.treePage) + 1,
        )
        const have = new Set(known?.nodes.map(({ row }) => row.id))
        setState((now) => ({
          ...now,
          branches: new Map([
            ...now.branches,
            [
              parent,
              {
                nodes: [
                  ...(known?.nodes ?? []),
                  ...next.nodes.filter(({ row }) => !have.has(row.id)),
                ],
                total: next.total,
              },
            ],
          ]),
        }))
      } catch (error) {
        told(error)
      }
    },
    [branchOf, told],
  )
  /** True when it was done. */
  const move = useCallback(
    async ({ id, version }: Row, place: Place): Promise<boolean> => {
      try {
        await api.tree.move({ params: { tag, id }, body: { version: version ?? '', ...place } })
        toast('success', t('tree.moved'))
        await read(place.parent === '0' ? [] : [place.parent])
        onMoved()
        return true
      } catch (error) {
        told(error)
        void read()
        return false
      }
    },
    [api, tag, toast, t, read, told, onMoved],
  )
  return {
    ...state,
    isSearch,
    unfold,
    fold,
    foldAll: useCallback(() => setState((now) => ({ ...now, open: new Set<string>() })), []),
    more,
    move,
    again: read,
  }
}
export type Tree = ReturnType<typeof useTree>
