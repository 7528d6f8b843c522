// @vitest-environment happy-dom
import { tagsModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { tagsOnScreen, tagsScreen } from './web.tsx'

// The bar, its question, and the menu that opens views; other parts of the console are tested
// elsewhere.
gateWeb(tagsModels, tagsOnScreen, tagsScreen, {
  places: /^(jw-tag|jw-tags|jw-menu__leaf|question)\b/,
  survivors: {},
})
