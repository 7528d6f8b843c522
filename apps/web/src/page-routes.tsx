import type { MenuNode } from '@jiaowu/api/contract/session'
import { lazy } from 'react'
import { type RouteObject, useLocation, useParams } from 'react-router-dom'
import { FreshDefinition } from './features/entity-list/fresh-definition.tsx'
import { HomePage } from './features/home/home-page.tsx'
import type { Pages } from './app/pages.ts'
import { lazyPart } from './ui/lazy-part.ts'

const EntityListPage = lazy(async () => ({
  default: (await import('./features/entity-list/entity-list-page.tsx')).EntityListPage,
}))
const EntityFormPage = lazy(async () => ({
  default: (await import('./features/entity-form/entity-form-page.tsx')).EntityFormPage,
}))
const EntityDetailsPage = lazy(async () => ({
  default: (await import('./features/entity-form/entity-details-page.tsx')).EntityDetailsPage,
}))
const ReportPreviewPage = lazyPart(() =>
  import('./features/documents/report-preview-page.tsx').then((module) => module.ReportPreviewPage),
)
const RefundsPage = lazyPart(() =>
  import('./features/payments/refunds-page.tsx').then((module) => module.RefundsPage),
)
const ReconcilePage = lazyPart(() =>
  import('./features/payments/reconcile-page.tsx').then((module) => module.ReconcilePage),
)
const DictionaryPage = lazyPart(() =>
  import('./features/administration/dictionaries/dictionary-page.tsx').then(
    (module) => module.DictionaryPage,
  ),
)
const JobsPage = lazyPart(() =>
  import('./features/administration/jobs-page.tsx').then((module) => module.JobsPage),
)
const TenantsPage = lazyPart(() =>
  import('./features/administration/tenants/tenants-page.tsx').then((module) => module.TenantsPage),
)
const DefinitionsPage = lazyPart(() =>
  import('./features/designer/definitions/definitions-page.tsx').then(
    (module) => module.DefinitionsPage,
  ),
)
const DesignerPage = lazyPart(() =>
  import('./features/designer/designer-page.tsx').then((module) => module.DesignerPage),
)
const DevicePage = lazyPart(() =>
  import('./shell/session/device-page.tsx').then((module) => module.DevicePage),
)
const PermissionsPage = lazyPart(() =>
  import('./features/administration/permissions/permissions-page.tsx').then(
    (module) => module.PermissionsPage,
  ),
)
const EntryPage = lazyPart(() =>
  import('./features/entry/entry-page.tsx').then((module) => module.EntryPage),
)
const TodoPage = lazyPart(() =>
  import('./features/todo/todo-page.tsx').then((module) => module.TodoPage),
)
const NotFoundPage = lazy(async () => ({
  default: (await import('./ui/not-found-page.tsx')).NotFoundPage,
}))

export const pages: Pages = {
  routes: pageRoutes,
  RouteDrawer: lazyPart(() =>
    import('./features/documents/route-drawer.tsx').then((module) => module.RouteDrawer),
  ),
  Palette: lazyPart(() =>
    import('./features/search/command-palette.tsx').then((module) => module.CommandPalette),
  ),
}

/** Routes of the pages that a tab shows. */
function pageRoutes(menu: readonly MenuNode[]): RouteObject[] {
  return [
    { path: '/', element: <HomePage menu={menu} /> },
    { path: '/todo', element: <TodoPage /> },
    { path: '/entity/:tag/search', element: <ListRoute /> },
    { path: '/preview/entity/:tag', element: <ListRoute /> },
    { path: '/entity/:tag/form', element: <FormRoute /> },
    { path: '/entity/:tag/details', element: <DetailsRoute /> },
    { path: '/entity/:tag/entry', element: <EntryRoute /> },
    { path: '/entity/config', element: <DefinitionsPage /> },
    { path: '/entity/:tag/config/design', element: <DesignRoute /> },
    { path: '/report/:code/preview', element: <ReportPreviewPage /> },
    { path: '/print/refunds', element: <RefundsPage /> },
    { path: '/print/reconciliation', element: <ReconcilePage /> },
    { path: '/jobs', element: <JobsPage /> },
    { path: '/tenants', element: <TenantsPage /> },
    { path: '/dictionary/preview', element: <DictionaryPage /> },
    { path: '/role/:id/permissions', element: <PermissionsRoute /> },
    { path: '*', element: <NotFoundPage /> },
  ]
}

function ListRoute() {
  const { tag, search } = usePlace()
  return (
    <FreshDefinition key={tag} tag={tag}>
      <EntityListPage tag={tag} search={search} />
    </FreshDefinition>
  )
}

function EntryRoute() {
  const { tag, search } = usePlace()
  return <EntryPage key={tag} tag={tag} search={search} />
}

function usePlace() {
  const { tag = '' } = useParams()
  const { search } = useLocation()
  return { tag, search, id: new URLSearchParams(search).get('id') }
}

function FormRoute({ inWindow = false }: { readonly inWindow?: boolean }) {
  const { tag, search, id } = usePlace()
  return (
    <EntityFormPage key={`${tag}${search}`} tag={tag} search={search} id={id} inWindow={inWindow} />
  )
}

function DetailsRoute({ inWindow = false }: { readonly inWindow?: boolean }) {
  const { tag, search, id } = usePlace()
  return id === null ? (
    <NotFoundPage />
  ) : (
    <EntityDetailsPage key={`${tag}${search}`} tag={tag} id={id} inWindow={inWindow} />
  )
}

function DesignRoute() {
  const { tag, search } = usePlace()
  return <DesignerPage key={tag} tag={tag} table={new URLSearchParams(search).get('table')} />
}

function PermissionsRoute() {
  const { id = '' } = useParams()
  return <PermissionsPage key={id} id={id} />
}

/**
 * Routes of separate browser windows: a page without the shell
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export const windowRoutes: RouteObject[] = [
  { path: '/entity/:tag/form-window', element: <FormRoute inWindow /> },
  { path: '/entity/:tag/details-window', element: <DetailsRoute inWindow /> },
  { path: '/device', element: <DevicePage /> },
]
