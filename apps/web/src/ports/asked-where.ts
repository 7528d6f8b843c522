import type { Where } from '@jiaowu/api/entity/list/list-query'
import { withTerm } from '@jiaowu/machines/entity-list/conditions/where-draft'
import { getSettings } from '../app/settings.ts'

/** Conditions as the server is asked: the current term is the one that the user chose. */
export function askedWhere(where: Where | null | undefined): { where?: Where } {
  const asked = withTerm(where ?? null, getSettings().term)
  return asked === null ? {} : { where: asked }
}
