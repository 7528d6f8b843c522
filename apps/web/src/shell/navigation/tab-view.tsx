import { Button } from '@blueprintjs/core'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { memo, Suspense, useEffect, useMemo, useState } from 'react'
import { useRoutes } from 'react-router-dom'
import { useText } from '../../app/text-context.ts'
import { askForBuild, useOutdated } from '../../app/new-build.ts'
import { usePages } from '../../app/pages.ts'
import { UnsavedContext, type UnsavedTab } from '../../app/unsaved.ts'
import { WithDrawer } from './with-drawer.tsx'
import { ErrorBoundary, isLoadFailure } from '../../ui/error-boundary.tsx'
import { Empty, Loading } from '../../ui/resource/page-state.tsx'
import type { TagsActor } from './tags-actor.ts'
import { ViewOverlays } from './view-overlays.tsx'

/**
 * The view of one tag. It is mounted when its tag is first active at the browser's address, so that
 * neither tags restored at start nor the home page behind a link load anything. From then on it
 * stays mounted while its tag is open and is hidden with its dialogs while another is active, so
 * that input and scroll position are kept.
 */
export const TabView = memo(
  ({
    tags,
    tagKey,
    path,
    active,
    isAddressed,
    menu,
  }: {
    readonly tags: TagsActor
    /** The key that names the tab while its path changes. */
    readonly tagKey: string
    readonly path: string
    readonly active: boolean
    /** Whether the browser's address is `path`; it may follow a step behind the tags. */
    readonly isAddressed: boolean
    readonly menu: readonly MenuNode[]
  }) => {
    const [visited, setVisited] = useState(false)
    if (active && isAddressed && !visited) setVisited(true)
    const unsaved = useUnsavedTab(tags, tagKey)
    if (!visited) return null
    return (
      <ViewOverlays active={active}>
        <div className="jw-view" role="tabpanel" hidden={!active} inert={!active}>
          <ErrorBoundary
            fallback={(retry, error) => (
              <PageFailed onRetry={isLoadFailure(error) ? () => location.reload() : retry} />
            )}
          >
            <UnsavedContext value={unsaved}>
              <WithDrawer>
                <Suspense fallback={<Loading />}>
                  <TabPage path={path} menu={menu} />
                </Suspense>
              </WithDrawer>
            </UnsavedContext>
          </ErrorBoundary>
        </div>
      </ViewOverlays>
    )
  },
)

/**
 * A part that could not be loaded is asked for again by a reload only: browsers remember that it failed. Those of an
 * older build are gone with it.
 */
function PageFailed({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useText()
  const isOutdated = useOutdated()
  useEffect(() => void askForBuild(), [])
  return (
    <Empty
      title={t('shell.pageFailed')}
      action={
        isOutdated ? (
          <Button text={t('shell.reload')} onClick={() => location.reload()} />
        ) : (
          <Button text={t('common.retry')} onClick={onRetry} />
        )
      }
    />
  )
}

/** The tab is marked as long as one of its editors has unsaved input. */
function useUnsavedTab(tags: TagsActor, key: string): UnsavedTab {
  return useMemo(() => {
    const editors = new Set<string>()
    const tab = () => tags.getSnapshot().context.tags.find((each) => each.key === key)
    return {
      report: (editor, isUnsaved) => {
        if (isUnsaved) editors.add(editor)
        else editors.delete(editor)
        const path = tab()?.path
        if (path !== undefined) tags.send({ type: 'tag.mark', path, dirty: editors.size > 0 })
      },
      isOpen: () => tab() !== undefined,
    }
  }, [tags, key])
}

function TabPage({ path, menu }: { readonly path: string; readonly menu: readonly MenuNode[] }) {
  const { routes } = usePages()
  return useRoutes(
    useMemo(() => routes(menu), [routes, menu]),
    path,
  )
}
