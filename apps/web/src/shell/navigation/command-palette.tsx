import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { MenuIcon } from './menu-icons.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface Props {
  readonly menu: readonly MenuNode[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onGo: (path: string) => void
}

/** Ctrl+K: finds a page of the menu by its name, by keyboard alone. */
export function CommandPalette({ menu, isOpen, onClose, onGo }: Props) {
  const { t } = useText()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (isOpen) {
      setQuery('')
      setAt(0)
    }
  }, [isOpen])
  const wanted = query.trim().toLowerCase()
  const found = leaves(menu).filter(({ node, trail }) =>
    `${node.name} ${trail} ${node.tag ?? ''}`.toLowerCase().includes(wanted),
  )
  const go = (index: number) => {
    const hit = found[index]
    if (hit !== undefined) {
      onClose()
      onGo(hit.node.path)
    }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      setAt(Math.min(at + 1, found.length - 1))
    }
    if (event.key === 'ArrowUp') {
      event.preventDefault()
      setAt(Math.max(at - 1, 0))
    }
    if (event.key === 'Enter') go(at)
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} className="jw-palette" label={t('shell.palette')}>
      <InputGroup
        autoFocus
        size="large"
        leftElement={<Search className="bp6-icon" />}
        placeholder={t('shell.palette.hint')}
        value={query}
        onValueChange={(value) => {
          setQuery(value)
          setAt(0)
        }}
        onKeyDown={onKey}
        role="combobox"
        aria-expanded
        aria-controls="jw-palette-list"
        aria-activedescendant={`jw-palette-${at}`}
      />
      <ul className="jw-palette__list" role="listbox" id="jw-palette-list">
        {found.length === 0 ? (
          <li className="jw-palette__none">{t('shell.palette.none')}</li>
        ) : null}
        {found.map(({ node, trail }, index) => (
          <li
            key={node.id}
            id={`jw-palette-${index}`}
            role="option"
            aria-selected={index === at}
            className={`jw-palette__item${index === at ? ' is-at' : ''}`}
            onMouseEnter={() => setAt(index)}
            onClick={() => go(index)}
            onKeyDown={onKey}
          >
            <MenuIcon name={node.icon} size={14} />
            <span>{node.name}</span>
            <span className="jw-palette__trail">{trail}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function leaves(
  nodes: readonly MenuNode[],
  trail: readonly string[] = [],
): { node: MenuNode; trail: string }[] {
  return nodes.flatMap((node) =>
    node.children.length > 0
      ? leaves(node.children, [...trail, node.name])
      : [{ node, trail: trail.join(' / ') }],
  )
}
