import type { MenuNode } from '@jiaowu/api/contract/session'
import type { SessionView } from '@jiaowu/machines/session/view'
import { tagsView } from '@jiaowu/machines/tags/view'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { useNotice } from '../app/notice-context.ts'
import { useText } from '../app/text-context.ts'
import { changeSettings, type Settings, useSettings } from '../app/settings.ts'
import type { SessionActor } from '../ports/index.ts'
import { rememberOpener } from './navigation/openers.ts'
import { Sidebar } from './navigation/sidebar.tsx'
import { TabView } from './navigation/tab-view.tsx'
import { TagsBar } from './navigation/tags-bar.tsx'
import { findViewTitle } from './navigation/titles.ts'
import { PalettePart, usePalette } from './palette-part.tsx'
import { NewBuildBar } from './new-build-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useSignOut } from './session/use-sign-out.ts'
import { useNarrow } from '../app/use-narrow.ts'
import { useView } from '../app/use-view.ts'
import { Drawer } from '../ui/overlays/drawer.tsx'
import type { TagsActor } from './navigation/tags-actor.ts'

interface Props {
  readonly view: SessionView
  readonly actor: SessionActor
  readonly tags: TagsActor
}

/** The console around its views: sidebar, top bar, tags bar and command palette. */
export function Shell({ view: session, actor, tags }: Props) {
  const { t } = useText()
  const settings = useSettings()
  const narrow = useNarrow()
  const { view, pathname, path, navigate } = useTags(tags, session.menu)
  const [drawer, setDrawer] = useState(false)
  const signOut = useSignOut(actor, 'session.signOut')
  const [palette, setPalette] = usePalette()
  useCloseConfirmation(tags, view.asking, view.unsaved.join('、'))
  const title = view.tags.find((tag) => tag.active)?.title ?? ''
  useEffect(() => {
    document.title = `${title} · ${t('app.title')}`
  }, [title, t])
  const go = useCallback(
    (path: string) => {
      void navigate(path, { replace: location.hash === `#${path}` })
    },
    [navigate],
  )
  const closeDrawer = useCallback(() => setDrawer(false), [])
  const closePalette = useCallback(() => setPalette(false), [setPalette])
  return (
    <div className={layoutClasses(settings)}>
      <SkipLink />
      <SidebarFrame isDrawer={narrow} isOpen={drawer} onClose={closeDrawer}>
        <Sidebar
          menu={session.menu}
          pathname={pathname}
          showLogo={settings.sidebarLogo}
          narrow={!narrow && !settings.sidebarOpen}
          onPicked={closeDrawer}
          onGo={go}
        />
      </SidebarFrame>
      <div className="jw-shell__body">
        <div className="jw-shell__head">
          <TopBar
            menu={session.menu}
            pathname={pathname}
            title={title}
            onToggleSidebar={() => {
              if (narrow) setDrawer(true)
              else changeSettings({ sidebarOpen: !settings.sidebarOpen })
            }}
            onPalette={() => setPalette(true)}
            onSignOut={() => void signOut()}
            onPasswordChanged={() => actor.send({ type: 'profile.reload' })}
            mustChangePassword={session.user?.mustChangePassword ?? false}
            mustEnrolFactor={session.user?.mustEnrolFactor ?? false}
          />
          <NewBuildBar />
          {settings.tagsView ? (
            <TagsBar tags={view.tags} onGo={go} send={(event) => tags.send(event)} />
          ) : null}
        </div>
        <main id="jw-main" className="jw-shell__main" tabIndex={-1}>
          {view.tags.map((tag) => (
            <TabView
              key={tag.key}
              tags={tags}
              tagKey={tag.key}
              path={tag.path}
              active={tag.active}
              isAddressed={tag.path === path}
              menu={session.menu}
            />
          ))}
        </main>
      </div>
      <PalettePart
        menu={session.menu}
        isOpen={palette}
        onClose={closePalette}
        onGo={go}
        onSignOut={signOut}
      />
    </div>
  )
}

function layoutClasses({ sidebarOpen, fixedHeader, fixedSidebar }: Settings): string {
  return [
    'jw-shell',
    sidebarOpen ? '' : 'is-collapsed',
    fixedHeader ? 'has-fixed-header' : '',
    fixedSidebar ? 'has-fixed-sidebar' : '',
  ].join(' ')
}

/** Moves the focus past the navigation to the page. */
function SkipLink() {
  const { t } = useText()
  return (
    <a
      className="jw-skip"
      href="#jw-main"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('jw-main')?.focus()
      }}
    >
      {t('shell.skip')}
    </a>
  )
}

/** The sidebar's place: beside the page, or a drawer on a phone. */
function SidebarFrame({
  isDrawer,
  isOpen,
  onClose,
  children,
}: {
  readonly isDrawer: boolean
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const { t } = useText()
  return isDrawer ? (
    <Drawer
      isOpen={isOpen}
      onClose={onClose}
      label={t('shell.menu')}
      position="left"
      size="230px"
      className="jw-shell__drawer"
    >
      {children}
    </Drawer>
  ) : (
    <aside className="jw-shell__side">{children}</aside>
  )
}

/** Keeps tags and address bar in step: a route opens its tag, and the active tag sets the route. */
function useTags(actor: TagsActor, menu: readonly MenuNode[]) {
  const { t } = useText()
  const { pathname, search, state } = useLocation()
  const isReturn = useNavigationType() === NavigationType.Pop
  const navigate = useNavigate()
  const path = pathname + search
  const [home, todo, notFound] = [t('shell.home'), t('todo.title'), t('shell.notFound')]
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (
      before.current !== null &&
      before.current !== path &&
      !actor.getSnapshot().context.tags.some((tag) => tag.path === path)
    )
      rememberOpener(path, before.current)
    before.current = path
  }, [actor, path])
  // Before the next effect, whose event can be answered by another address.
  useEffect(() => {
    const watching = actor.on('navigate', (to) => {
      // With its key at once, or the effect below would have to replace the entry.
      const key = findTagKey(actor, to.path)
      void navigate(to.path, {
        replace: to.replace === true,
        ...(key === to.path ? {} : { state: { key } }),
      })
    })
    return () => watching.unsubscribe()
  }, [actor, navigate])
  useEffect(() => {
    const named = keyIn(state)
    actor.send({
      type: 'tag.open',
      path,
      title: findViewTitle(menu, pathname, search, { home, todo, notFound }),
      // An entry of the history without a key is the one that opened the tag.
      ...(isReturn ? { key: named ?? path } : {}),
    })
    const { active } = actor.getSnapshot().context
    const key = findTagKey(actor, active)
    if (active === path && key !== (named ?? path))
      void navigate(path, { replace: true, state: { key } })
  }, [actor, isReturn, menu, navigate, path, pathname, search, state, home, todo, notFound])
  return {
    view: useView(actor, tagsView),
    pathname,
    path,
    navigate,
  }
}

/** The key of the tag that shows a path; the path itself where none does. */
function findTagKey(actor: TagsActor, path: string): string {
  return actor.getSnapshot().context.tags.find((tag) => tag.path === path)?.key ?? path
}

/** The tag that an entry of the browser's history belongs to; null: it does not name one. */
function keyIn(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'key' in state ? String(state.key) : null
}

/** Confirms before unsaved views are closed (machine: tags). */
function useCloseConfirmation(actor: TagsActor, asking: boolean, names: string) {
  const { t } = useText()
  const { confirm } = useNotice()
  useEffect(() => {
    if (asking)
      void confirm({ text: t('shell.closeUnsaved', { names }), danger: true }).then((yes) =>
        actor.send({ type: yes ? 'ask.confirm' : 'ask.cancel' }),
      )
  }, [actor, asking, names, confirm, t])
}
