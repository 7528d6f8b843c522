// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { entryWeb } from './web.tsx'

gateWeb(entryWeb.model, entryWeb.onScreen, entryWeb.makeScreen, {
  survivors: {
    'jw-calm button Close': 'a second way to cancel',
    'button Close': 'closes a toast, which also closes by itself',
  },
})
