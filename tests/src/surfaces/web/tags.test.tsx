// @vitest-environment happy-dom
import { tagsModels } from '../../models/tags.model.ts'
import { gateWeb } from './gate-web.tsx'
import { tagsOnScreen, tagsScreen } from './tags.tsx'

gateWeb(tagsModels, tagsOnScreen, tagsScreen)
