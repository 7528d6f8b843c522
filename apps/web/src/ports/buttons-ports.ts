import type { ButtonEffect } from '@jiaowu/machines/buttons/actions'
import type { ButtonsPorts } from '@jiaowu/machines/buttons/ports'
import { sendButtonRequest } from '@jiaowu/machines/buttons/send-request'
import type { Services } from '../app/api-context.ts'
import type { Notices } from '../app/notice-context.ts'
import type { Tabs } from '../app/tab-context.ts'

type Surface = Pick<Notices, 'toast'> & Pick<Tabs, 'openTab' | 'openDrawer'>

/** The calls of the buttons machine. */
export function buttonsPorts(api: Services['api']): ButtonsPorts {
  return {
    loadActions: async ({ tag, code }, signal) =>
      (await api.button.press({ params: { tag, code }, signal })).actions,
    sendRequest: async (request, signal) => {
      await sendButtonRequest(api, request, signal)
    },
  }
}

/**
 * Shows a message or opens a page. Fields and refreshes belong to the form or list that holds the
 * button.
 */
export function showEffect(app: Surface, effect: ButtonEffect): void {
  if (effect.type === 'message') app.toast(effect.tone, effect.text)
  if (effect.type !== 'open') return
  if (effect.where === 'window') window.open(`#${effect.to}`, '_blank', 'noreferrer')
  else if (effect.where === 'drawer') app.openDrawer(effect.to, effect.title)
  else app.openTab(effect.to, effect.title)
}
