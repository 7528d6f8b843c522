import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import { type EntityAction, entityPermission, may } from '@jiaowu/api/entity/permission'
import { declaredActions } from './actions.ts'

const actionOf = { create: 'add', update: 'update', remove: 'delete' } as const satisfies Record<
  string,
  EntityAction
>

/**
 * Whether the user may do everything a button declares. The server checks each action itself; a
 * button that would be refused is not shown.
 */
export function isPermitted(button: Button, permissions: readonly string[]): boolean {
  return declaredActions(button).every((action) => {
    const code = findPermission(action)
    return code === null || may(permissions, code)
  })
}

function findPermission(action: ButtonAction): string | null {
  if (action.do === 'request') return entityPermission(action.tag, actionOf[action.method])
  if (action.do !== 'open') return null
  const tag = /^\/entity\/(\w+)\/(search|form|details)/.exec(action.to)?.[1]
  if (tag !== undefined) return entityPermission(tag, 'view')
  if (/^\/(report|student)\//.test(action.to)) return 'print:preview'
  if (action.to.startsWith('/registration/')) return entityPermission('EDU_STUDENT', 'update')
  return action.to.startsWith('/print/refunds') ? 'pay:refund' : null
}
