import { Button } from '@blueprintjs/core'
import type { MenuNode } from '@jiaowu/api'
import { memo, Suspense, useMemo, useState } from 'react'
import { useRoutes } from 'react-router-dom'
import { useApp } from '../context/app-context.tsx'
import { WithDrawer } from '../context/with-drawer.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Empty, Loading } from '../../ui/resource/page-state.tsx'
import { pageRoutes } from './page-routes.tsx'
import { ViewOverlays } from './view-overlays.tsx'

/**
 * The view of one tag. It is mounted when its tag is first active at the browser's address, so that
 * neither tags restored at start nor the home page behind a link load anything. From then on it
 * stays mounted while its tag is open and is hidden with its dialogs while another is active, so
 * that input and scroll position are kept.
 */
export const TabView = memo(
  ({
    path,
    active,
    isAddressed,
    menu,
  }: {
    readonly path: string
    readonly active: boolean
    /** Whether the browser's address is `path`; it may follow a step behind the tags. */
    readonly isAddressed: boolean
    readonly menu: readonly MenuNode[]
  }) => {
    const { t } = useApp()
    const [visited, setVisited] = useState(false)
    if (active && isAddressed && !visited) setVisited(true)
    if (!visited) return null
    return (
      <ViewOverlays active={active}>
        <div className="jw-view" role="tabpanel" hidden={!active} inert={!active}>
          <ErrorBoundary
            fallback={(retry) => (
              <Empty
                title={t('shell.pageFailed')}
                action={<Button text={t('common.retry')} onClick={retry} />}
              />
            )}
          >
            <WithDrawer>
              <Suspense fallback={<Loading />}>
                <Page path={path} menu={menu} />
              </Suspense>
            </WithDrawer>
          </ErrorBoundary>
        </div>
      </ViewOverlays>
    )
  },
)

function Page({ path, menu }: { readonly path: string; readonly menu: readonly MenuNode[] }) {
  return useRoutes(
    useMemo(() => pageRoutes(menu), [menu]),
    path,
  )
}
