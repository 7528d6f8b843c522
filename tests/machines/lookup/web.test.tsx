// @vitest-environment happy-dom
import { lookupModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { lookupOnScreen, lookupScreen } from './web.tsx'

gateWeb(lookupModels, lookupOnScreen, lookupScreen, {
  survivors: {
    'jw-picker div major label': 'the chosen value, part of the form machine',
    'jw-choice li': 'choosing is field.change of the form machine',
  },
})
