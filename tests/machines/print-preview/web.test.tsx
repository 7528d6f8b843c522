// @vitest-environment happy-dom
import { printPreviewModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { printOnScreen, printScreen } from './web.tsx'

const toast = 'a toast closes by itself'
gateWeb(printPreviewModels, printOnScreen, printScreen, {
  survivors: { 'button Close': toast, ' span text': toast },
})
