import type { ButtonsPorts } from '@jiaowu/machines/buttons/ports'
import { sendButtonRequest } from '@jiaowu/machines/buttons/send-request'
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
    sendRequest: async (request, abort) => {
      await sendButtonRequest(api, request, AbortSignal.any([abort, signal]))
    },
  }
}
