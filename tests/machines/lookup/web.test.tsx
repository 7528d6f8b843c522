// @vitest-environment happy-dom
import { lookupModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { lookupOnScreen, lookupScreen } from './web.tsx'

gateWeb(lookupModels, lookupOnScreen, lookupScreen, {
  survivors: {
    'jw-picker div major label': 'what is chosen: the form’s',
    'jw-choice li': 'choosing: the form’s field.change',
  },
})
