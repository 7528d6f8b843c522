// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { buttonsModels } from './model.ts'
import { buttonsOnScreen, buttonsScreen } from './web.tsx'

const form = 'the form around the buttons: the paths of the machine entityForm'
gateWeb(buttonsModels, buttonsOnScreen, buttonsScreen, {
  places: /^(jw-form__bar|jw-form__refused|jw-alert|bp6-alert)/,
  survivors: { 'jw-form__foot': form },
})
