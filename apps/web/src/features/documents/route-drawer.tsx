import { Suspense, useState } from 'react'
import { useRoutes } from 'react-router-dom'
import { Loading } from '../../ui/resource/page-state.tsx'
import type { DrawerPlace } from '../../app/pages.ts'
import { drawerRoutes } from './drawer-routes.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'

/**
 * A page that a button opens over its list, 70 % wide (docs/spec/2-student-service-and-designer.md
 * §9).
 */
export function RouteDrawer({
  place,
  onClose,
}: {
  readonly place: DrawerPlace | null
  readonly onClose: () => void
}) {
  const [record, setRecord] = useState<string | null>(null)
  return (
    <Drawer
      isOpen={place !== null}
      title={place === null || record === null ? place?.title : `${place.title} · ${record}`}
      onClose={onClose}
      size=""
      className="jw-calm jw-print-drawer"
    >
      {place === null ? null : (
        <Suspense fallback={<Loading />}>
          <Inside path={place.path} onClose={onClose} onTitle={setRecord} />
        </Suspense>
      )}
    </Drawer>
  )
}

function Inside({
  path,
  onClose,
  onTitle,
}: {
  readonly path: string
  readonly onClose: () => void
  readonly onTitle: (record: string) => void
}) {
  return useRoutes(drawerRoutes(onClose, onTitle), path)
}
