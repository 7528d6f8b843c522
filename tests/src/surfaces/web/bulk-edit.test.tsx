// @vitest-environment happy-dom
import { bulkEditModels } from '../../models/bulk-edit.model.ts'
import { bulkOnScreen, bulkScreen } from './bulk-edit.tsx'
import { gateWeb } from './gate-web.tsx'

gateWeb(bulkEditModels, bulkOnScreen, bulkScreen)
