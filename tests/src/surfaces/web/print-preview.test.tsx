// @vitest-environment happy-dom
import { printPreviewModels } from '../../models/print-preview.model.ts'
import { gateWeb } from './gate-web.tsx'
import { printOnScreen, printScreen } from './print-preview.tsx'

gateWeb(printPreviewModels, printOnScreen, printScreen)
