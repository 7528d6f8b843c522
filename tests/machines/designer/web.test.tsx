// @vitest-environment happy-dom
// Preloaded: lazy imports would finish after the screen has come to rest.
import '../../../apps/web/src/features/designer/flow/flow-chart.tsx'
import '../../../apps/web/src/features/designer/flow/flow-tab.tsx'
import '../../../apps/web/src/features/designer/json/json-editor.tsx'
import { designerModels } from './model.ts'
import { createDesignerWeb } from './web.tsx'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'

const { save, ...parts } = designerModels.parts
const places =
  /^(jw-design__bar|jw-design__state|jw-design__note|jw-design__kinds|jw-dfields|jw-dfield|jw-dcols|jw-dcol|jw-json|jw-custom-field|jw-revisions|jw-impact|jw-stale-design|question|jw-fault|jw-state)\b/
const survivors = {
  'jw-dcol button extrajsonb':
    'the same button as the column memo, which is clicked; this one is dragged',
  'jw-dcol button novarchar': 'the same button as the column title, which is clicked',
  'jw-dcol button memovarchar(0)已加入': 'the same button as the column title in use',
  'jw-dcol button titlevarchar(0)': 'the same button as the column memo, not in use',
  'jw-design__bar button JSON': 'inactive behind the JSON editor, which takes the keys',
  'jw-design__bar button 字段': 'the fields are shown already',
  'jw-design__bar button 预览': 'inactive behind the JSON editor, which takes the keys',
  'jw-json button 关闭': 'a second way to cancel',
}
gateWeb({ ...createDesignerWeb(true), model: { ...designerModels, parts } }, { places, survivors })
if (save !== undefined)
  gateWeb({ ...createDesignerWeb(false), model: { ...designerModels, parts: { save } } })
