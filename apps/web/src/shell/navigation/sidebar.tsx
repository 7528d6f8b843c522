import { ChevronDown } from '@blueprintjs/icons'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { memo, type ReactNode, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { MenuIcon } from './menu-icons.tsx'

interface Props {
  readonly menu: readonly MenuNode[]
  readonly pathname: string
  readonly showLogo: boolean
  readonly narrow: boolean
  readonly onPicked: () => void
  readonly onGo: (path: string) => void
}

/** Rendered again when the page changes, not when the address of a list follows its filters. */
export const Sidebar = memo(function Sidebar({
  menu,
  pathname,
  showLogo,
  narrow,
  onPicked,
  onGo,
}: Props) {
  const { t } = useText()
  const links = { pathname, onGo }
  return (
    <nav
      className="jw-sidebar"
      aria-label={t('shell.menu')}
      onClick={(event) => {
        if ((event.target as Element).closest('a') !== null) onPicked()
      }}
    >
      {showLogo ? (
        <PageLink to="/" className="jw-sidebar__logo" {...links}>
          <img src="/logo.svg" alt="" width={26} height={26} />
          <span className="jw-menu__text">{t('app.title')}</span>
        </PageLink>
      ) : null}
      <ul className="jw-menu">
        {menu
          .filter((node) => !node.hidden)
          .map((node) =>
            node.children.length > 0 ? (
              <Branch key={node.id} node={node} narrow={narrow} {...links} />
            ) : (
              <Leaf key={node.id} node={node} {...links} />
            ),
          )}
      </ul>
    </nav>
  )
})

type Links = Pick<Props, 'pathname' | 'onGo'>

function Branch({
  node,
  narrow,
  ...links
}: Links & { readonly node: MenuNode; readonly narrow: boolean }) {
  const [open, setOpen] = useState(true)
  const shown = open || narrow
  return (
    <li className="jw-menu__branch">
      <button
        type="button"
        className={`jw-menu__head${holds(node, links.pathname) ? ' is-current' : ''}`}
        aria-expanded={shown}
        onClick={() => setOpen(!open)}
        title={node.name}
      >
        <MenuIcon name={node.icon} />
        <span className="jw-menu__text">{node.name}</span>
        <ChevronDown className="jw-menu__caret" size={14} />
      </button>
      {shown ? (
        <ul className="jw-menu__leaves">
          {node.children
            .filter((child) => !child.hidden)
            .map((child) => (
              <Leaf key={child.id} node={child} {...links} />
            ))}
        </ul>
      ) : null}
    </li>
  )
}

function holds(node: MenuNode, pathname: string): boolean {
  return node.path === pathname || node.children.some((child) => holds(child, pathname))
}

function Leaf({ node, ...links }: Links & { readonly node: MenuNode }) {
  return (
    <li>
      <PageLink className="jw-menu__leaf" to={node.path} title={node.name} {...links}>
        <MenuIcon name={node.icon} size={14} />
        <span className="jw-menu__text">{node.name}</span>
      </PageLink>
    </li>
  )
}

/** A link of the router follows every change of the address; this one knows the page it is on. */
function PageLink({
  to,
  className,
  title,
  pathname,
  onGo,
  children,
}: Links & {
  readonly to: string
  readonly className: string
  readonly title?: string
  readonly children: ReactNode
}) {
  const [own = ''] = to.split(/[?#]/)
  const isOutside = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(to)
  const isActive = pathname === own || (own !== '/' && pathname.startsWith(`${own}/`))
  return (
    <a
      className={isActive ? `${className} is-active` : className}
      href={isOutside ? to : `#${to}`}
      title={title}
      {...(isActive ? { 'aria-current': 'page' as const } : {})}
      onClick={(event) => {
        if (
          isOutside ||
          event.button !== 0 ||
          event.metaKey ||
          event.altKey ||
          event.ctrlKey ||
          event.shiftKey
        )
          return
        event.preventDefault()
        onGo(to)
      }}
    >
      {children}
    </a>
  )
}
