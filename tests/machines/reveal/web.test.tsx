// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { revealWeb } from './web.tsx'

gateWeb(revealWeb, {
  survivors: { 'jw-calm button 关闭': 'a second way to cancel' },
})
