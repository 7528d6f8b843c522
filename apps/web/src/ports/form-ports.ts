import type { FormPerson } from '@jiaowu/machines/entity-form/values'
import type { UserInfo } from '@jiaowu/api/contract/session'

export function toFormPerson(user: UserInfo | null): FormPerson | null {
  return user === null ? null : { user: { id: user.id, name: user.name }, org: user.org }
}
