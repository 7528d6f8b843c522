import type { Query } from '@jiaowu/machines/entity-list/conditions/conditions'
import {
  createContext,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { onSavedElsewhere } from '../../app/saved-signal.ts'

/** The signal that an entity's definition was saved, in this browser tab or another. */
export const definitionSignal = (tag: string): string => `:definition:${tag}`

interface Fresh {
  /** The query of the page that this one replaces; null: this is the first. */
  readonly previousQuery: () => Query | null
  /** Reports the current query, and whether an overlay is open that a remount would lose. */
  readonly report: (query: Query, isOpen: boolean) => void
}
const context = createContext<Fresh>({ previousQuery: () => null, report: () => {} })
export const useFreshDefinition = (): Fresh => useContext(context)

/**
 * Remounts a page when its entity's definition was saved, and repeats its query. Waits while a form
 * is open, so that no input is lost.
 */
export function FreshDefinition({
  tag,
  children,
}: {
  readonly tag: string
  readonly children: ReactNode
}) {
  const [round, setRound] = useState(0)
  const [isOld, setIsOld] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const last = useRef<Query>({ queries: {}, sorts: [] })
  useEffect(
    () =>
      onSavedElsewhere((saved) => {
        if (saved === definitionSignal(tag)) setIsOld(true)
      }),
    [tag],
  )
  useEffect(() => {
    if (isOld && !isOpen) {
      setIsOld(false)
      setRound((n) => n + 1)
    }
  }, [isOld, isOpen])
  const fresh = useMemo<Fresh>(
    () => ({
      previousQuery: () => (round === 0 ? null : last.current),
      report: (query, open) => {
        last.current = query
        setIsOpen(open)
      },
    }),
    [round],
  )
  return (
    <context.Provider value={fresh}>
      <Fragment key={round}>{children}</Fragment>
    </context.Provider>
  )
}
