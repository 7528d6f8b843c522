import type { EntityConfig } from '@jiaowu/api'
import type { Preset } from '@jiaowu/machines'
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
import { onSavedElsewhere } from './saved-signal.ts'

/** What pages of an entity listen to: its definition was saved, here or in another tab of the browser. */
export const definitionSignal = (tag: string): string => `:definition:${tag}`

interface Fresh {
  /** What the page before asked, when this one takes its place; null: it is the first. */
  readonly question: () => Preset | null
  /** Told as it changes: what to ask again, and whether something is open that a person would miss. */
  readonly tell: (question: Preset, isOpen: boolean) => void
}
const context = createContext<Fresh>({ question: () => null, tell: () => {} })
export const useFreshDefinition = (): Fresh => useContext(context)

/** A page is made anew when its entity's definition was saved. What was asked is asked again; while a form is open, it waits: nothing typed is lost. */
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
  const last = useRef<Preset>({ queries: {}, sorts: [] })
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
      question: () => (round === 0 ? null : last.current),
      tell: (question, open) => {
        last.current = question
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

/** What of a question the entity still has. */
export function askable<T>(
  { fields }: EntityConfig,
  queries: Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(queries).filter(([name]) => fields.some(({ attrName }) => attrName === name)),
  )
}
