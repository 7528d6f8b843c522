import { mayAll, mayAny } from '@jiaowu/api'
import type { ReactNode } from 'react'
import { useApp } from './app-context.tsx'

interface Wanted {
  /** has-permission: all of them. */
  readonly all?: readonly string[]
  /** has-any-permission. */
  readonly any?: readonly string[]
  /** has-no-permission: shown to those who lack all of them. */
  readonly not?: readonly string[]
  readonly children: ReactNode
}

/** Element-level permission (docs/spec/1-entity-console.md §6): what may not be seen is not in the page. The server decides all the same. */
export function Can({ all, any, not, children }: Wanted) {
  const { permissions } = useApp()
  const shown =
    (all === undefined || mayAll(permissions, all)) &&
    (any === undefined || mayAny(permissions, any)) &&
    (not === undefined || !mayAny(permissions, not))
  return shown ? children : null
}
