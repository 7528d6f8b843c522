import type { SnapshotFrom } from 'xstate'
import type { Tag, tagsMachine } from './machine.ts'

export interface TagView extends Tag {
  readonly active: boolean
  readonly closable: boolean
}
export interface TagsView {
  readonly tags: readonly TagView[]
  readonly active: string
  readonly asking: boolean
  /** Titles of the pages whose input the question is about. */
  readonly unsaved: readonly string[]
}

export function tagsView(s: SnapshotFrom<typeof tagsMachine>): TagsView {
  return {
    tags: s.context.tags.map((tag) => ({
      ...tag,
      active: tag.path === s.context.active,
      closable: tag.path !== s.context.home,
    })),
    active: s.context.active,
    asking: s.matches('asking'),
    unsaved: s.context.tags.flatMap(({ path, title, dirty }) =>
      dirty && s.context.asking.includes(path) ? [title] : [],
    ),
  }
}
