// @vitest-environment happy-dom
import { downloadModels } from '../../models/download.model.ts'
import { gateWeb } from './gate-web.tsx'
import { downloadOnScreen, downloadScreen } from './student-download.tsx'

gateWeb(downloadModels, downloadOnScreen, downloadScreen)
