// The ports of the form over the client of the contract: the same on every surface.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createRequest } from '@jiaowu/api/client/create-request'
import { closeFields } from '@jiaowu/api/entity/config'
import { schoolTime } from '@jiaowu/api/formats'
import type { EntityFormPorts } from './ports.ts'

/** `viewOnly`: details, where no field is open anyway. */
export function entityFormApiPorts(
  api: Pick<Client<typeof contract>, 'entityData' | 'flow' | 'session'>,
  viewOnly = false,
): EntityFormPorts {
  /** Tags of tables whose rows take the id of their form. */
  const withFormId = new Set<string>()
  return {
    loadForm: async ({ tag, id, copyOf }, signal) => {
      const [config, row, newId, copied] = await Promise.all([
        api.entityData.config({ params: { tag }, signal }),
        id === null ? null : api.entityData.get({ params: { tag, id }, signal }),
        id === null ? api.session.generateId({ signal }) : null,
        copyOf === undefined ? null : api.entityData.get({ params: { tag, id: copyOf }, signal }),
      ])
      if (config.formId === true) withFormId.add(tag)
      const flow =
        id === null || config.flow !== true || viewOnly
          ? null
          : await api.flow.read({ params: { tag, id }, signal })
      const data = {
        config: flow === null ? config : closeFields(config, flow),
        row,
        now: schoolTime(Date.now()),
        copied,
      }
      return newId === null ? data : { ...data, newId }
    },
    saveRow: ({ tag, id, values, version, newId }, signal) => {
      if (id !== null)
        return api.entityData.update({
          params: { tag, id },
          body: { ...values, ...(version === null ? {} : { version }) },
          signal,
        })
      const request =
        newId === undefined
          ? { body: { ...values } }
          : createRequest({ formId: withFormId.has(tag) }, values, newId)
      return api.entityData.create({ params: { tag }, ...request, signal })
    },
  }
}
