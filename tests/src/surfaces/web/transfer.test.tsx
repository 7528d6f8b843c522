// @vitest-environment happy-dom
import { transferModels } from '../../models/transfer.model.ts'
import { gateWeb } from './gate-web.tsx'
import { transferOnScreen, transferScreen } from './transfer.tsx'

gateWeb(transferModels, transferOnScreen, transferScreen, { survivors: {} })
