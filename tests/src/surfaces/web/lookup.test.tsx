// @vitest-environment happy-dom
import { lookupModels } from '../../models/lookup.model.ts'
import { gateWeb } from './gate-web.tsx'
import { lookupOnScreen, lookupScreen } from './lookup.tsx'

gateWeb(lookupModels, lookupOnScreen, lookupScreen, {
  survivors: {
    'jw-picker div major label': 'what is chosen: the form’s',
    'jw-choice li': 'choosing: the form’s field.change',
  },
})
