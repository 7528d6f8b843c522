import type { DictItem } from '@jiaowu/api/entity/values'

export interface TreeLine {
  readonly item: DictItem
  readonly depth: number
  readonly hasChildren: boolean
}

/**
 * Lines of a tree from a flat `{id, name, pid}` list: children below their parents if `open` holds
 * the parent. A search shows its hits with their ancestors.
 */
export function treeLines(
  items: readonly DictItem[],
  open: ReadonlySet<string>,
  searchKey: string,
): TreeLine[] {
  const known = new Set(items.map(({ id }) => id))
  const byParent = Map.groupBy(items, ({ pid }) =>
    pid !== undefined && known.has(pid) ? pid : '0',
  )
  const hits = (item: DictItem, seen: ReadonlySet<string>): boolean =>
    isHit(item, searchKey) ||
    (!seen.has(item.id) &&
      (byParent.get(item.id) ?? []).some((child) => hits(child, new Set([...seen, item.id]))))
  const isSearch = searchKey.trim() !== ''
  const walk = (pid: string, depth: number, seen: ReadonlySet<string>): TreeLine[] =>
    (byParent.get(pid) ?? []).flatMap((item) => {
      if (seen.has(item.id) || (isSearch && !hits(item, seen))) return []
      const hasChildren = byParent.has(item.id)
      const below =
        hasChildren && (isSearch || open.has(item.id))
          ? walk(item.id, depth + 1, new Set([...seen, item.id]))
          : []
      return [{ item, depth, hasChildren }, ...below]
    })
  return walk('0', 0, new Set())
}

/** The line that a search is about: the first one that holds the words, not an ancestor of it. */
export function firstLine(lines: readonly TreeLine[], searchKey: string): number {
  return Math.max(
    0,
    lines.findIndex(({ item }) => isHit(item, searchKey)),
  )
}

/** The first choice of a tree, which is answered whole and searched here. */
export function firstInTree(items: readonly DictItem[], searchKey: string): DictItem | undefined {
  const lines = treeLines(items, new Set(), searchKey)
  return lines[firstLine(lines, searchKey)]?.item
}

function isHit({ name }: DictItem, searchKey: string): boolean {
  return name.toLowerCase().includes(searchKey.trim().toLowerCase())
}
