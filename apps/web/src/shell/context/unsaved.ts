import { createContext, useContext, useEffect, useId } from 'react'

/** The tab of the console that an editor is in. */
export interface UnsavedTab {
  /** An editor of the tab has, or no longer has, unsaved input. */
  readonly report: (editor: string, isUnsaved: boolean) => void
  /** False once the user has closed the tab. */
  readonly isOpen: () => boolean
}

/** A page without a tab, in a window of its own, is open as long as its window. */
export const UnsavedContext = createContext<UnsavedTab>({
  report: () => {},
  isOpen: () => true,
})

/**
 * Every editor says with this that it holds unsaved input: its tab is marked, and is closed, like the
 * window, the session and the language, only after a question.
 */
export function useUnsaved(isUnsaved: boolean): void {
  const { report } = useContext(UnsavedContext)
  const editor = useId()
  useEffect(() => {
    if (!isUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    report(editor, true)
    return () => {
      removeEventListener('beforeunload', ask)
      report(editor, false)
    }
  }, [report, editor, isUnsaved])
}

export function useTabOpen(): () => boolean {
  return useContext(UnsavedContext).isOpen
}
