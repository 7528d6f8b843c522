// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { tagsWeb } from './web.tsx'

// The bar, its question, and the menu that opens views; other parts of the console are tested
// elsewhere.
gateWeb(tagsWeb, {
  places: /^(jw-tag|jw-tags|jw-menu__leaf|question)\b/,
  survivors: {},
})
