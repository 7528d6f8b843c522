import { joinRowIds } from '@jiaowu/api/row-id'
import type { ButtonsPorts } from '@jiaowu/machines/buttons/ports'
import type { CommandLine } from '../command-line.ts'
import type { Api } from '../session/api.ts'

/** The calls of the buttons machine; Ctrl-C aborts them too. */
export function buttonsPorts({ signal }: CommandLine, api: Api): ButtonsPorts {
  return {
    loadActions: async ({ tag, code }, abort) =>
      (
        await api.button.press({
          params: { tag, code },
          signal: AbortSignal.any([abort, signal]),
        })
      ).actions,
    sendRequest: async ({ tag, method, id, values }, abort) => {
      const call = { signal: AbortSignal.any([abort, signal]) }
      const body = { ...values }
      if (method === 'create') await api.entityData.create({ params: { tag }, body, ...call })
      else if (method === 'update')
        await api.entityData.update({ params: { tag, id }, body, ...call })
      else await api.entityData.remove({ params: { tag, ids: joinRowIds([id]) }, ...call })
    },
  }
}
