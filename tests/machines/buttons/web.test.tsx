// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { buttonsWeb } from './web.tsx'

gateWeb(buttonsWeb, {
  places: /^(jw-form__bar|jw-form__refused|jw-alert|bp6-alert)/,
  survivors: {},
})
