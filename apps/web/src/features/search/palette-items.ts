import type { FoundRecord } from '@jiaowu/api/contract/entity/search'
import { entityPermission } from '@jiaowu/api/entity/permission'
import type { MenuNode } from '@jiaowu/api/contract/session'
import type { PaletteAction } from '../../app/pages.ts'
import type { Translate } from '../../app/text-context.ts'
import { paths } from '../../paths.ts'

type PaletteGroup = 'recent' | 'pages' | 'records' | 'actions'

/** A line of the palette. */
export interface PaletteItem {
  readonly key: string
  readonly group: PaletteGroup
  readonly icon: string | null
  readonly text: string
  /** Beside the text: the second line of a record, or where the page is in the menu. */
  readonly note: string
  /** At the end of the line: the entity of a record. */
  readonly kind: string
  readonly run: () => void
  /** Its own actions open with the right arrow. */
  readonly record?: FoundRecord
}

const mostPages = 6
const mostActions = 4

/** Pages whose name or place in the menu contains the text; those that begin with it come first. */
export function findPages(
  menu: readonly MenuNode[],
  wanted: string,
  onGo: (path: string) => void,
): PaletteItem[] {
  const key = wanted.toLowerCase()
  const found = listLeaves(menu).filter(
    ({ node, trail }) =>
      `${node.name} ${trail}`.toLowerCase().includes(key) || isTagBegun(node.tag, key),
  )
  const isFirst = ({ node }: Leaf) => node.name.toLowerCase().startsWith(key)
  return [...found.filter(isFirst), ...found.filter((leaf) => !isFirst(leaf))]
    .slice(0, key === '' ? found.length : mostPages)
    .map(({ node, trail }) => ({
      key: `page ${node.id}`,
      group: 'pages',
      icon: node.icon,
      text: node.name,
      note: '',
      kind: trail,
      run: () => onGo(node.path),
    }))
}

/** Two letters are the initials of a person rather than a tag. */
function isTagBegun(tag: string | null, key: string): boolean {
  return tag !== null && key.length > 3 && tag.toLowerCase().startsWith(key)
}

/** Actions that need no record: adding one, or changing how the console looks. */
export function findActions(
  menu: readonly MenuNode[],
  wanted: string,
  own: readonly PaletteAction[],
  { can, t, onGo }: { can: (code: string) => boolean; t: Translate; onGo: (path: string) => void },
): PaletteItem[] {
  if (wanted === '') return []
  const adding = listLeaves(menu).flatMap(({ node: { tag, name, path } }): PaletteAction[] =>
    tag === null || path !== paths.list(tag) || !can(entityPermission(tag, 'add'))
      ? []
      : [
          {
            key: `add ${tag}`,
            icon: 'add',
            text: t('form.addTitle', { name }),
            run: () => onGo(paths.form(tag)),
          },
        ],
  )
  return [...adding, ...own]
    .filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, mostActions)
    .map((action) => ({ ...action, group: 'actions', note: '', kind: '' }))
}

export function toRecordItem(
  record: FoundRecord,
  group: 'recent' | 'records',
  icon: string | null,
  onGo: (record: FoundRecord) => void,
): PaletteItem {
  const { tag, id, entity, title, note } = record
  return {
    key: `record ${tag}/${id}`,
    group,
    icon,
    text: title,
    // Without the number that the title has too.
    note: note
      .split(' · ')
      .filter((part) => !title.includes(part))
      .join(' · '),
    kind: entity,
    run: () => onGo(record),
    record,
  }
}

interface Leaf {
  readonly node: MenuNode
  readonly trail: string
}

export function listLeaves(nodes: readonly MenuNode[], trail: readonly string[] = []): Leaf[] {
  return nodes.flatMap((node) =>
    node.children.length > 0
      ? listLeaves(node.children, [...trail, node.name])
      : [{ node, trail: trail.join(' / ') }],
  )
}
