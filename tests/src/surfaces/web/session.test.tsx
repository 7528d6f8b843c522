// @vitest-environment happy-dom
import { sessionModels } from '../../models/session.model.ts'
import { gateWeb } from './gate-web.tsx'
import { sessionOnScreen, sessionScreen } from './session.tsx'

// The sign-in form, the dialog over the page, and what the shell has of the session.
gateWeb(sessionModels, sessionOnScreen, sessionScreen, {
  places: /^(jw-sign-in|jw-dialog--narrow|jw-fault|jw-state|jw-top__user|jw-menu__leaf|jw-top__tools button (语言|Language))/,
  survivors: {},
})
