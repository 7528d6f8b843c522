// @vitest-environment happy-dom
import { tagsModels } from '../../models/tags.model.ts'
import { gateWeb } from './gate-web.tsx'
import { tagsOnScreen, tagsScreen } from './tags.tsx'

// The bar, its question, and the menu that opens views; the rest of the console is not the tags'.
gateWeb(tagsModels, tagsOnScreen, tagsScreen, {
  places: /^(jw-tag|jw-tags|jw-menu__leaf|question)\b/,
  survivors: {},
})
