// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { entryWeb } from './web.tsx'

gateWeb(entryWeb, {
  survivors: {
    'jw-calm button 关闭': 'a second way to cancel',
    'button 关闭': 'closes a toast, which also closes by itself',
  },
})
