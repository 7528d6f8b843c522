import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { TabContext, useTabs } from '../../app/tab-context.ts'
import { type DrawerPlace, usePages } from '../../app/pages.ts'

/**
 * Gives the view its own drawer for pages opened over it; the drawer is hidden and shown with the
 * view.
 */
export function WithDrawer({ children }: { readonly children: ReactNode }) {
  const tabs = useTabs()
  const { RouteDrawer } = usePages()
  const [place, setPlace] = useState<DrawerPlace | null>(null)
  const own = useMemo(
    () => ({ ...tabs, openDrawer: (path: string, title: string) => setPlace({ path, title }) }),
    [tabs],
  )
  return (
    <TabContext.Provider value={own}>
      {children}
      {place === null ? null : (
        <Suspense fallback={null}>
          <RouteDrawer place={place} onClose={() => setPlace(null)} />
        </Suspense>
      )}
    </TabContext.Provider>
  )
}
