// @vitest-environment happy-dom
import { sessionModels } from '../../models/session.model.ts'
import { gateWeb } from './gate-web.tsx'
import { sessionOnScreen, sessionScreen } from './session.tsx'

gateWeb(sessionModels, sessionOnScreen, sessionScreen)
