import { createContext, useCallback, useContext, useEffect, useId, useMemo } from 'react'
import { NoticeContext } from './notice-context.ts'
import { TextContext } from './text-context.ts'

/** The tab of the console that an editor is in. */
export interface UnsavedTab {
  /** An editor of the tab has, or no longer has, unsaved input. */
  readonly report: (editor: string, isUnsaved: boolean) => void
  /** False once the user has closed the tab. */
  readonly isOpen: () => boolean
  /** Goes on at once, or after a question where the overlay around has unsaved input. */
  readonly leave?: (go: () => void) => void
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
 * Escape, its cross, a click beside it or its CancelButton is asked about while there is any.
 * @param guards false: `onClose` asks by itself
 */
export function useUnsavedLayer<Event>(
  onClose: ((event?: Event) => void) | undefined,
  guards: boolean,
) {
  const notices = useContext(NoticeContext)
  const texts = useContext(TextContext)
  const tab = useContext(UnsavedContext)
  const { layer, leave } = useMemo(() => {
    const editors = new Set<string>()
    const report: UnsavedTab['report'] = (editor, isUnsaved) => {
      if (isUnsaved) editors.add(editor)
      else editors.delete(editor)
      tab.report(editor, isUnsaved)
    }
    const ask = (go: () => void) => {
      if (!guards || editors.size === 0 || notices === null || texts === null) go()
      else
        void notices.confirm({ text: texts.t('common.closeUnsaved'), danger: true }).then((yes) => {
          if (yes) go()
        })
    }
    return { layer: { ...tab, report, leave: ask }, leave: ask }
  }, [tab, guards, notices, texts])
  const close = useCallback(
    (event?: Event) => {
      if (onClose !== undefined) leave(() => onClose(event))
    },
    [onClose, leave],
  )
  return { layer, close }
}
