import { createContext, useContext } from 'react'

type Tone = 'info' | 'success' | 'warning' | 'danger'
interface ToastOptions {
  readonly lasting?: boolean
  readonly action?: { readonly text: string; readonly onClick: () => void }
}
export interface Question {
  readonly title?: string
  readonly text: string
  readonly danger?: boolean
  readonly confirmText?: string
}

/** Messages and questions over the page. */
export interface Notices {
  /**
   * 1.5 s, or 5 s when lasting (docs/spec/1-entity-console.md §9); 6 s with an action, which then
   * stands beside the text.
   */
  readonly toast: (tone: Tone, text: string, options?: ToastOptions) => void
  readonly confirm: (question: Question) => Promise<boolean>
}

export const NoticeContext = createContext<Notices | null>(null)
export function useNotice(): Notices {
  const notices = useContext(NoticeContext)
  if (notices === null) throw new Error('useNotice outside of NoticeContext')
  return notices
}
