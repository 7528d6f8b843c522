// @vitest-environment happy-dom
import { entityFormModels } from '../../models/entity-form.model.ts'
import { formOnScreen, formScreen } from './entity-form.tsx'
import { gateWeb } from './gate-web.tsx'

gateWeb(entityFormModels, formOnScreen, formScreen)
