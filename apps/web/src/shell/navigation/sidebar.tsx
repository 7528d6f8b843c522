import { ChevronDown } from '@blueprintjs/icons'
import type { MenuNode } from '@jiaowu/api'
import { useState } from 'react'
import { NavLink } from 'react-router-dom'
import { useApp } from '../context/app-context.tsx'
import { MenuIcon } from './menu-icons.tsx'

interface Props {
  readonly menu: readonly MenuNode[]
  readonly pathname: string
  readonly showLogo: boolean
  readonly narrow: boolean
  readonly onPicked: () => void
}

export function Sidebar({ menu, pathname, showLogo, narrow, onPicked }: Props) {
  const { t } = useApp()
  return (
    <nav
      className="jw-sidebar"
      aria-label={t('shell.menu')}
      onClick={(event) => {
        if ((event.target as Element).closest('a') !== null) onPicked()
      }}
    >
      {showLogo ? (
        <NavLink to="/" className="jw-sidebar__logo">
          <img src="/logo.svg" alt="" width={26} height={26} />
          <span className="jw-menu__text">{t('app.title')}</span>
        </NavLink>
      ) : null}
      <ul className="jw-menu">
        {menu
          .filter((node) => !node.hidden)
          .map((node) =>
            node.children.length > 0 ? (
              <Branch key={node.id} node={node} pathname={pathname} narrow={narrow} />
            ) : (
              <Leaf key={node.id} node={node} />
            ),
          )}
      </ul>
    </nav>
  )
}

function Branch({
  node,
  pathname,
  narrow,
}: {
  readonly node: MenuNode
  readonly pathname: string
  readonly narrow: boolean
}) {
  const [open, setOpen] = useState(true)
  const shown = open || narrow
  return (
    <li className="jw-menu__branch">
      <button
        type="button"
        className={`jw-menu__head${holds(node, pathname) ? ' is-current' : ''}`}
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
              <Leaf key={child.id} node={child} />
            ))}
        </ul>
      ) : null}
    </li>
  )
}

function holds(node: MenuNode, pathname: string): boolean {
  return node.path === pathname || node.children.some((child) => holds(child, pathname))
}

function Leaf({ node }: { readonly node: MenuNode }) {
  return (
    <li>
      <NavLink
        className={({ isActive }) => `jw-menu__leaf${isActive ? ' is-active' : ''}`}
        to={node.path}
        title={node.name}
      >
        <MenuIcon name={node.icon} size={14} />
        <span className="jw-menu__text">{node.name}</span>
      </NavLink>
    </li>
  )
}
