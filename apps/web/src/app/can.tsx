import { mayAll, mayAny } from '@jiaowu/api/entity/permission'
import type { ReactNode } from 'react'
import { useApi } from './api-context.ts'

interface Wanted {
  /** has-permission: holds all of these. */
  readonly all?: readonly string[]
  /** has-any-permission: holds at least one of these. */
  readonly any?: readonly string[]
  /** has-no-permission: holds none of these. */
  readonly not?: readonly string[]
  readonly children: ReactNode
}

/**
 * Element-level permission (docs/spec/1-entity-console.md §6): children without permission are not
 * rendered. The server checks permissions itself.
 */
export function Can({ all, any, not, children }: Wanted) {
  const { permissions } = useApi()
  const shown =
    (all === undefined || mayAll(permissions, all)) &&
    (any === undefined || mayAny(permissions, any)) &&
    (not === undefined || !mayAny(permissions, not))
  return shown ? children : null
}
