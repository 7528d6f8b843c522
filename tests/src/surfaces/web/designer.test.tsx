// @vitest-environment happy-dom
// Loaded beforehand: what is fetched when it is first needed comes later than the screen comes to rest.
import '../../../../apps/web/src/design/json/json-editor.tsx'
import { designerModels, savedDesign } from '../../models/designer.model.ts'
import { definitionOf } from '@jiaowu/api'
import { designerOnScreen, designerScreen } from './designer.tsx'
import { gateWeb } from './gate-web.tsx'

// Undoing two steps back and what stands behind the JSON editor are walked on the bare machine: here they would show the same screens once more.
const { undo: _undo, behind: _behind, save, ...parts } = designerModels.parts
const earlier = definitionOf(savedDesign(1, { name: '旧名' }))
gateWeb({ ...designerModels, parts }, designerOnScreen(true), () => designerScreen(earlier, true))
if (save !== undefined) gateWeb({ ...designerModels, parts: { save } }, designerOnScreen(false), () => designerScreen(earlier, false))
