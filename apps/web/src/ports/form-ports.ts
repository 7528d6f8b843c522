import type { FormPerson } from '@jiaowu/machines'
import type { UserInfo } from '@jiaowu/api'

export function personOf(user: UserInfo | null): FormPerson | null {
  return user === null ? null : { user: { id: user.id, name: user.name }, org: user.org }
}
