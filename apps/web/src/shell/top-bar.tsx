import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Application,
  Cog,
  Desktop,
  Flash,
  Key,
  Lightbulb,
  Lock,
  LogOut,
  Menu as MenuIcon,
  Moon,
  Search,
  Translate,
  User,
} from '@blueprintjs/icons'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../app/api-context.ts'
import { useText } from '../app/text-context.ts'
import { changeSettings, useSettings } from '../app/settings.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { Popover } from '../ui/overlays/popover.tsx'
import { Inbox } from './inbox.tsx'
import { PasswordDialog } from './session/password-dialog.tsx'
import { useLanguage } from './use-language.ts'
import { TodoLink } from './todo-link.tsx'
import { TermChoice } from './term-choice.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { Breadcrumbs } from './navigation/breadcrumbs.tsx'
import { findMenuPath } from './navigation/titles.ts'

const OwnSessions = lazy(async () => ({
  default: (await import('./session/own-sessions.tsx')).OwnSessions,
}))

const Proposals = lazyPart(() =>
  import('./session/proposals.tsx').then((module) => module.Proposals),
)
const ApiTokens = lazyPart(() =>
  import('./session/api-tokens.tsx').then((module) => module.ApiTokens),
)

const SecondFactor = lazyPart(() =>
  import('./session/second-factor.tsx').then((module) => module.SecondFactor),
)

interface Props {
  readonly menu: readonly MenuNode[]
  readonly pathname: string
  readonly title: string
  readonly onToggleSidebar: () => void
  readonly onPalette: () => void
  readonly onSignOut: () => void
  readonly onPasswordChanged: () => void
  readonly mustChangePassword: boolean
  readonly mustEnrolFactor: boolean
}

export function TopBar({
  menu,
  pathname,
  title,
  onToggleSidebar,
  onPalette,
  onSignOut,
  onPasswordChanged,
  mustChangePassword,
  mustEnrolFactor,
}: Props) {
  const { t } = useText()
  const [panel, setPanel] = useState(false)
  const [password, setPassword] = useState(false)
  const [sessions, setSessions] = useState(false)
  const [factor, setFactor] = useState(false)
  const [tokens, setTokens] = useState(false)
  const [proposals, setProposals] = useState(false)
  const home = t('shell.home')
  const menuPath = findMenuPath(menu, pathname)
  const texts = menuPath.length > 0 ? menuPath : title === home ? [] : [title]
  return (
    <header className="jw-top">
      <Button
        variant="minimal"
        icon={<MenuIcon />}
        aria-label={t('shell.toggleSidebar')}
        onClick={onToggleSidebar}
      />
      <Breadcrumbs steps={[{ text: home, href: '#/' }, ...texts.map((text) => ({ text }))]} />
      <div className="jw-top__tools">
        <SearchBox onPalette={onPalette} />
        <TermChoice />
        <Tools onSettings={() => setPanel(true)} />
        <TodoLink />
        <Inbox />
        <UserMenu
          onPassword={() => setPassword(true)}
          onSessions={() => setSessions(true)}
          onFactor={() => setFactor(true)}
          onTokens={() => setTokens(true)}
          onProposals={() => setProposals(true)}
          onSignOut={onSignOut}
        />
      </div>
      <SettingsPanel isOpen={panel} onClose={() => setPanel(false)} />
      {sessions ? (
        <Suspense>
          <OwnSessions onClose={() => setSessions(false)} />
        </Suspense>
      ) : null}
      {tokens ? (
        <Suspense>
          <ApiTokens menu={menu} onClose={() => setTokens(false)} />
        </Suspense>
      ) : null}
      {proposals ? (
        <Suspense>
          <Proposals onClose={() => setProposals(false)} />
        </Suspense>
      ) : null}
      {factor || (mustEnrolFactor && !mustChangePassword) ? (
        <Suspense>
          <SecondFactor
            isRequired={mustEnrolFactor}
            onClose={() => setFactor(false)}
            onSignOut={onSignOut}
          />
        </Suspense>
      ) : null}
      <PasswordDialog
        isOpen={password || mustChangePassword}
        isRequired={mustChangePassword}
        onClose={() => setPassword(false)}
        onChanged={onPasswordChanged}
      />
    </header>
  )
}

/** Looks like the field that it opens; a button of one icon on a phone. */
function SearchBox({ onPalette }: { readonly onPalette: () => void }) {
  const { t } = useText()
  return (
    <button
      type="button"
      className="jw-top__search"
      aria-keyshortcuts="Control+K"
      title={`${t('shell.palette')} Ctrl+K`}
      onClick={onPalette}
    >
      <Search size={16} />
      <span className="jw-top__hint">{t('shell.palette.box')}</span>
      <kbd>Ctrl K</kbd>
    </button>
  )
}

function Tools({ onSettings }: { readonly onSettings: () => void }) {
  const { t } = useText()
  const { theme, locale } = useSettings()
  const changeLanguage = useLanguage()
  return (
    <>
      <Button
        variant="minimal"
        icon={<Translate />}
        aria-label={t('shell.language')}
        title={locale === 'en' ? '中文' : 'English'}
        onClick={() => {
          void changeLanguage(locale === 'en' ? 'zh-CN' : 'en')
        }}
      />
      <Button
        variant="minimal"
        icon={theme === 'dark' ? <Flash /> : <Moon />}
        aria-label={t('shell.toggleTheme')}
        title={t('shell.toggleTheme')}
        onClick={() => changeSettings({ theme: theme === 'dark' ? 'light' : 'dark' })}
      />
      <Button
        variant="minimal"
        icon={<Cog />}
        aria-label={t('shell.settings')}
        title={t('shell.settings')}
        onClick={onSettings}
      />
    </>
  )
}

function UserMenu({
  onPassword,
  onSessions,
  onFactor,
  onTokens,
  onProposals,
  onSignOut,
}: {
  readonly onPassword: () => void
  readonly onSessions: () => void
  readonly onFactor: () => void
  readonly onTokens: () => void
  readonly onProposals: () => void
  readonly onSignOut: () => void
}) {
  const { t } = useText()
  const { user } = useApi()
  return (
    <Popover
      content={
        <Menu>
          <MenuDivider
            title={`${user?.account ?? ''} · ${t('shell.tenant', { id: user?.tenant ?? '' })}`}
          />
          <MenuItem icon={<Key />} text={t('shell.changePassword')} onClick={onPassword} />
          <MenuItem icon={<Lock />} text={t('factor.title')} onClick={onFactor} />
          <MenuItem icon={<Desktop />} text={t('session.own')} onClick={onSessions} />
          <MenuItem icon={<Application />} text={t('token.title')} onClick={onTokens} />
          <MenuItem icon={<Lightbulb />} text={t('proposal.title')} onClick={onProposals} />
          <MenuItem icon={<LogOut />} text={t('shell.signOut')} onClick={onSignOut} />
        </Menu>
      }
    >
      <Button
        variant="minimal"
        icon={<User />}
        className="jw-top__user"
        text={user?.name}
        aria-label={user?.name}
        title={user?.account}
      />
    </Popover>
  )
}
