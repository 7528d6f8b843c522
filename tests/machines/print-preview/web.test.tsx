// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { printPreviewWeb } from './web.tsx'

const toast = 'a toast closes by itself'
gateWeb(printPreviewWeb, {
  survivors: { 'button 关闭': toast, ' span text': toast },
})
