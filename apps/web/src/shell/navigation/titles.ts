import type { MenuNode } from '@jiaowu/api/contract/session'

/**
 * Names of the menu entries from the top down to a path; empty when the menu does not contain it.
 */
export function findMenuPath(menu: readonly MenuNode[], pathname: string): readonly string[] {
  for (const node of menu) {
    if (node.path !== '' && node.path === pathname) return [node.name]
    const below = findMenuPath(node.children, pathname)
    if (below.length > 0) return [node.name, ...below]
  }
  return []
}

export interface TitleWords {
  readonly home: string
  readonly todo: string
  readonly notFound: string
}

/**
 * Title of a view until it sets its own: `_title` of its address, else its name in the menu, else
 * its entity's, else "not found".
 */
export function findViewTitle(
  menu: readonly MenuNode[],
  pathname: string,
  search: string,
  { home, todo, notFound }: TitleWords,
): string {
  if (pathname === '/') return home
  if (pathname === '/todo') return todo
  const given = new URLSearchParams(search).get('_title') ?? findMenuPath(menu, pathname).at(-1)
  if (given !== undefined) return given
  const [first = '', second = '', third] = pathname.split('/').slice(1)
  const tag =
    first === 'preview' && second === 'entity' ? third : first === 'entity' ? second : undefined
  if (tag !== undefined) return nameOfTag(menu, tag) ?? tag
  return ['report', 'print', 'role', 'dictionary'].includes(first) ? second : notFound
}

function nameOfTag(menu: readonly MenuNode[], tag: string): string | null {
  for (const node of menu) {
    const name = node.tag === tag ? node.name : nameOfTag(node.children, tag)
    if (name !== null) return name
  }
  return null
}
