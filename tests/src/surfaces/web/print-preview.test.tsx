// @vitest-environment happy-dom
import { printPreviewModels } from '../../models/print-preview.model.ts'
import { gateWeb } from './gate-web.tsx'
import { printOnScreen, printScreen } from './print-preview.tsx'

const toast = 'a toast goes by itself'
gateWeb(printPreviewModels, printOnScreen, printScreen, {
  survivors: { 'button Close': toast, ' span text': toast },
})
