import type { EntityFormPorts, FormPerson } from '@jiaowu/machines'
import { schoolTime, type UserInfo } from '@jiaowu/api'
import type { Api } from './index.ts'

/** The calls of the form machine. */
export function formPorts(api: Api): EntityFormPorts {
  return {
    loadForm: async ({ tag, id }, signal) => {
      const [config, row] = await Promise.all([
        api.entityData.config({ params: { tag }, signal }),
        id === null ? null : api.entityData.get({ params: { tag, id }, signal }),
      ])
      return { config, row, now: schoolTime(Date.now()) }
    },
    saveRow: ({ tag, id, values, version }, signal) =>
      id === null
        ? api.entityData.create({ params: { tag }, body: { ...values }, signal })
        : api.entityData.update({
            params: { tag, id },
            body: { ...values, ...(version === null ? {} : { version }) },
            signal,
          }),
  }
}

export function personOf(user: UserInfo | null): FormPerson | null {
  return user === null ? null : { user: { id: user.id, name: user.name }, org: user.org }
}
