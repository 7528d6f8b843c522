import type { FileReply } from '@jiaowu/api/endpoint'
import type { Locale } from '@jiaowu/api/locale'
import type { Message, t as translate } from '@jiaowu/api/texts/index'
import type { UserInfo } from '@jiaowu/api/contract/session'
import { createContext, useContext } from 'react'
import type { Api } from './api.ts'

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
type Rest<T> = T extends (locale: Locale, ...rest: infer R) => string ? R : never

/** Services of the application that every page may use. */
export interface App {
  readonly api: Api
  readonly locale: Locale
  /** `t('common.save')`, with its placeholders filled. */
  readonly t: <K extends Parameters<typeof translate>[1]>(
    key: K,
    ...params: Rest<typeof translate<K>> extends [unknown, ...infer P] ? P : never
  ) => string
  readonly messageText: (message: Message | string) => string
  readonly user: UserInfo | null
  readonly permissions: readonly string[]
  readonly can: (code: string) => boolean
  /**
   * 1.5 s, or 5 s when lasting (docs/spec/1-entity-console.md §9); 6 s with an action, which then
   * stands beside the text.
   */
  readonly toast: (tone: Tone, text: string, options?: ToastOptions) => void
  readonly confirm: (question: Question) => Promise<boolean>
  readonly saveFile: (
    file: FileReply,
    onProgress?: (bytes: number) => void,
    signal?: AbortSignal,
  ) => Promise<void>
  readonly openTab: (path: string, title: string) => void
  /** Shows a page over this one (print preview: docs/spec/2-student-service-and-designer.md §2). */
  readonly openDrawer: (path: string, title: string) => void
  readonly closeTab: (path: string) => void
  /**
   * Moves a tab whose page shows something else: the address follows, the page stays. `keep`: Back
   * in the browser returns to the address of before, and the page shows what that says.
   */
  readonly moveTab: (path: string, to: string, options?: { readonly keep: boolean }) => void
  readonly setTabTitle: (path: string, title: string) => void
  /** Whether any open view holds unsaved input. */
  readonly hasUnsaved: () => boolean
  /** Loads menu and permissions again after a change to them. */
  readonly reloadProfile: () => void
}

export const AppContext = createContext<App | null>(null)
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('useApp outside of AppContext')
  return app
}
