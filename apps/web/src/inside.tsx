import '@blueprintjs/core/lib/css/blueprint.css?part=console'
// Its first sheets are those of the start again: Blueprint's rules come before all of them.
import './styles/index.css'
import { HotkeysProvider } from '@blueprintjs/core'
import type { SessionView } from '@jiaowu/machines/session/view'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { matchRoutes, Navigate, useLocation, useRoutes } from 'react-router-dom'
import { safeRedirect } from './paths.ts'
import type { FreshProof } from '@jiaowu/api/client/fresh-proof'
import type { Surface } from './ports/index.ts'
import { Loading } from './ui/resource/page-state.tsx'
import { WithDrawer } from './shell/navigation/with-drawer.tsx'
import { pages, windowRoutes } from './page-routes.tsx'
import { PagesContext } from './app/pages.ts'
import { SessionOver } from './shell/session/session-over.tsx'
import { Shell } from './shell/shell.tsx'
import type { TagsActor } from './shell/navigation/tags-actor.ts'

const FreshProofDialog = lazy(async () => ({
  default: (await import('./shell/session/fresh-proof-dialog.tsx')).FreshProofDialog,
}))

/**
 * The signed-in application: the shell, or a page in a window of its own, with the end-of-session
 * dialog over it.
 */
export function Inside({
  surface: { session, proof },
  tags,
  view,
}: {
  readonly surface: Surface
  readonly tags: TagsActor
  readonly view: SessionView
}) {
  const location = useLocation()
  if (location.pathname === '/login')
    return (
      <Navigate to={safeRedirect(new URLSearchParams(location.search).get('redirect'))} replace />
    )
  return (
    <PagesContext value={pages}>
      <HotkeysProvider>
        {matchRoutes(windowRoutes, location) === null ? (
          <Shell view={view} actor={session} tags={tags} />
        ) : (
          <Windows />
        )}
        <ProofOver proof={proof} />
        <SessionOver view={view} session={session} />
      </HotkeysProvider>
    </PagesContext>
  )
}

function ProofOver({ proof }: { readonly proof: FreshProof }) {
  return useSyncExternalStore(proof.subscribe, proof.isAsking) ? (
    <Suspense>
      <FreshProofDialog proof={proof} />
    </Suspense>
  ) : null
}

function Windows() {
  return (
    <main className="jw-window">
      <WithDrawer>
        <Suspense fallback={<Loading />}>{useRoutes(windowRoutes)}</Suspense>
      </WithDrawer>
    </main>
  )
}
