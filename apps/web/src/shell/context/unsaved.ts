import { createContext, useCallback, useContext, useEffect, useId, useMemo } from 'react'
import { AppContext } from './app-context.tsx'

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

/** The same within an overlay whose fields are drawn by the component that opens it. */
export function Unsaved({ when }: { readonly when: boolean }): null {
  useUnsaved(when)
  return null
}

/**
 * A drawer or dialog over a page: what its editors report counts for the tab as well, and closing it by
 * Escape, its cross or a click beside it is asked about while there is any.
 */
export function useUnsavedLayer<Event>(onClose: ((event?: Event) => void) | undefined) {
  const app = useContext(AppContext)
  const tab = useContext(UnsavedContext)
  const { layer, editors } = useMemo(() => {
    const own = new Set<string>()
    const report: UnsavedTab['report'] = (editor, isUnsaved) => {
      if (isUnsaved) own.add(editor)
      else own.delete(editor)
      tab.report(editor, isUnsaved)
    }
    return { layer: { ...tab, report }, editors: own }
  }, [tab])
  const close = useCallback(
    (event?: Event) => {
      if (onClose === undefined) return
      if (editors.size === 0 || app === null) onClose(event)
      else
        void app.confirm({ text: app.t('common.closeUnsaved'), danger: true }).then((yes) => {
          if (yes) onClose()
        })
    },
    [onClose, editors, app],
  )
  return { layer, close }
}
