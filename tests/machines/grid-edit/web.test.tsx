// @vitest-environment happy-dom
import { coverTransitions } from '@jiaowu/path-tests'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { gridEditWeb } from './web.tsx'

gateWeb(gridEditWeb.model, gridEditWeb.onScreen, gridEditWeb.makeScreen, {
  few: coverTransitions,
})
