// @vitest-environment happy-dom
import { lookupModels } from '../../models/lookup.model.ts'
import { gateWeb } from './gate-web.tsx'
import { lookupOnScreen, lookupScreen } from './lookup.tsx'

gateWeb(lookupModels, lookupOnScreen, lookupScreen)
