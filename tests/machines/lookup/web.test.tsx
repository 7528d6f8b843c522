// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { lookupWeb } from './web.tsx'

gateWeb(lookupWeb, {
  survivors: {
    'jw-picker div major label': 'the chosen value, part of the form machine',
  },
})
