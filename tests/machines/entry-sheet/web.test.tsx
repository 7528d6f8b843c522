// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { entryWeb } from './web.tsx'

gateWeb(entryWeb.model, entryWeb.onScreen, entryWeb.makeScreen, {
  survivors: {
    'jw-calm button 关闭': 'a second way to cancel',
    'button 关闭': 'closes a toast, which also closes by itself',
  },
})
