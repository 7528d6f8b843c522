// @vitest-environment happy-dom
import { entityListModels } from '../../models/entity-list.model.ts'
import { listOnScreen, listScreen } from './entity-list.tsx'
import { gateWeb } from './gate-web.tsx'

gateWeb(entityListModels, listOnScreen, listScreen)
