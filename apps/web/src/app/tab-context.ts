import { createContext, useContext } from 'react'

/** Pages that are open, as tabs and over each other. */
export interface Tabs {
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
}

export const TabContext = createContext<Tabs | null>(null)
export function useTabs(): Tabs {
  const tabs = useContext(TabContext)
  if (tabs === null) throw new Error('useTabs outside of TabContext')
  return tabs
}
