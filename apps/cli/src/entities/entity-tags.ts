import { entityPermission } from '@jiaowu/api/entity/permission'
import type { MenuNode } from '@jiaowu/api/contract/session'
import type { Api } from '../session/api.ts'

export interface KnownEntity {
  readonly tag: string
  readonly name: string
  readonly permissions: readonly string[]
}

/** The entities that the user may view, with the names of their menu entries. */
export async function loadEntityTags(
  api: Api,
  signal: AbortSignal,
): Promise<readonly KnownEntity[]> {
  const [menu, resources] = await Promise.all([
    api.session.menu({ signal }),
    api.session.resources({ signal }),
  ])
  const named = new Map(
    leaves(menu).flatMap((node) => (node.tag === null ? [] : [[node.tag, node.name] as const])),
  )
  const codes = resources.map(({ code }) => code)
  const tags = new Set([
    ...named.keys(),
    ...codes.flatMap((code) => /^entity:(\w+):view$/.exec(code)?.[1] ?? []),
  ])
  return [...tags].sort().map((tag) => ({
    tag,
    name: named.get(tag) ?? tag,
    permissions: codes.filter((code) =>
      code.startsWith(entityPermission(tag, 'view').replace(/view$/, '')),
    ),
  }))
}

function leaves(nodes: readonly MenuNode[]): MenuNode[] {
  return nodes.flatMap((node) => [node, ...leaves(node.children)])
}
