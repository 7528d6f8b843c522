import { ContextMenu, Menu, MenuItem } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import type { TagsEvent } from '@jiaowu/machines/tags/machine'
import type { TagView } from '@jiaowu/machines/tags/view'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useText } from '../../app/text-context.ts'

interface Props {
  readonly tags: readonly TagView[]
  readonly onGo: (path: string) => void
  readonly send: (event: TagsEvent) => void
}

/**
 * The bar of visited views: click to go, middle click or Delete to close, context menu for others
 * and all (docs/spec/1-entity-console.md §2).
 */
export function TagsBar({ tags, onGo, send }: Props) {
  const { t } = useText()
  const bar = useRef<HTMLElement>(null)
  const active = tags.find((tag) => tag.active)?.path
  useEffect(() => {
    bar.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  const onKey = (tag: TagView, index: number) => (event: KeyboardEvent) => {
    if (event.key === 'Delete' && tag.closable) send({ type: 'tag.close', path: tag.path })
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tags[index + step]
    if (step !== 0 && next !== undefined) {
      onGo(next.path)
      bar.current?.querySelectorAll<HTMLElement>('.jw-tag__title')[index + step]?.focus()
    }
  }
  const menuOf = (tag: TagView) => (
    <Menu>
      <MenuItem
        text={t('shell.closeTag')}
        disabled={!tag.closable}
        onClick={() => send({ type: 'tag.close', path: tag.path })}
      />
      <MenuItem
        text={t('shell.closeOthers')}
        onClick={() => send({ type: 'tags.closeOthers', path: tag.path })}
      />
      <MenuItem text={t('shell.closeAll')} onClick={() => send({ type: 'tags.closeAll' })} />
    </Menu>
  )
  return (
    <nav className="jw-tags" aria-label={t('shell.tags')} ref={bar}>
      {tags.map((tag, index) => (
        <ContextMenu key={tag.path} content={menuOf(tag)} className="jw-tags__item">
          <div
            className={`jw-tag${tag.active ? ' is-active' : ''}`}
            onClick={() => onGo(tag.path)}
            onAuxClick={(event) => {
              if (event.button === 1 && tag.closable) send({ type: 'tag.close', path: tag.path })
            }}
          >
            {tag.dirty ? <span className="jw-tag__dirty" title={t('shell.unsaved')} /> : null}
            <a
              className="jw-tag__title"
              href={`#${tag.path}`}
              {...(tag.active ? { 'aria-current': 'page' as const } : {})}
              tabIndex={tag.active ? 0 : -1}
              onKeyDown={onKey(tag, index)}
              onClick={(event) => event.preventDefault()}
            >
              {tag.title}
            </a>
            {tag.closable ? (
              <button
                type="button"
                className="jw-tag__close"
                tabIndex={-1}
                aria-label={`${t('shell.closeTag')} ${tag.title}`}
                onClick={(event) => {
                  event.stopPropagation()
                  send({ type: 'tag.close', path: tag.path })
                }}
              >
                <Cross size={12} />
              </button>
            ) : null}
          </div>
        </ContextMenu>
      ))}
    </nav>
  )
}
