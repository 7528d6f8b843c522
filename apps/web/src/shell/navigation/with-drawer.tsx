import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { AppContext, useApp } from '../../app/app-context.tsx'
import { type DrawerPlace, usePages } from '../../app/pages.ts'

/**
 * Gives the view its own drawer for pages opened over it; the drawer is hidden and shown with the
 * view.
 */
export function WithDrawer({ children }: { readonly children: ReactNode }) {
  const app = useApp()
  const { RouteDrawer } = usePages()
  const [place, setPlace] = useState<DrawerPlace | null>(null)
  const own = useMemo(
    () => ({ ...app, openDrawer: (path: string, title: string) => setPlace({ path, title }) }),
    [app],
  )
  return (
    <AppContext.Provider value={own}>
      {children}
      {place === null ? null : (
        <Suspense fallback={null}>
          <RouteDrawer place={place} onClose={() => setPlace(null)} />
        </Suspense>
      )}
    </AppContext.Provider>
  )
}
