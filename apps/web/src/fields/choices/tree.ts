import type { DictItem } from '@jiaowu/api'

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
  const keyword = searchKey.trim().toLowerCase()
  const hits = (item: DictItem, seen: ReadonlySet<string>): boolean =>
    item.name.toLowerCase().includes(keyword) ||
    (!seen.has(item.id) &&
      (byParent.get(item.id) ?? []).some((child) => hits(child, new Set([...seen, item.id]))))
  const walk = (pid: string, depth: number, seen: ReadonlySet<string>): TreeLine[] =>
    (byParent.get(pid) ?? []).flatMap((item) => {
      if (seen.has(item.id) || (keyword !== '' && !hits(item, seen))) return []
      const hasChildren = byParent.has(item.id)
      const below =
        hasChildren && (keyword !== '' || open.has(item.id))
          ? walk(item.id, depth + 1, new Set([...seen, item.id]))
          : []
      return [{ item, depth, hasChildren }, ...below]
    })
  return walk('0', 0, new Set())
}
