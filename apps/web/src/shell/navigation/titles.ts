import type { MenuNode } from '@jiaowu/api'

/** The names from the top of the menu down to a path; empty when the menu does not have it. */
export function trailOf(menu: readonly MenuNode[], pathname: string): readonly string[] {
  for (const node of menu) {
    if (node.path !== '' && node.path === pathname) return [node.name]
    const below = trailOf(node.children, pathname)
    if (below.length > 0) return [node.name, ...below]
  }
  return []
}

export interface TitleWords {
  readonly home: string
  readonly notFound: string
}

/** What a view is called until it says so itself: `_title` of its address, the menu's name, the entity's, or that there is no such page. */
export function titleOf(
  menu: readonly MenuNode[],
  pathname: string,
  search: string,
  { home, notFound }: TitleWords,
): string {
  if (pathname === '/') return home
  const given = new URLSearchParams(search).get('_title') ?? trailOf(menu, pathname).at(-1)
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
