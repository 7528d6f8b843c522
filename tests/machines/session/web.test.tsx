// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { sessionWeb } from './web.tsx'

// The sign-in form, the dialog over the page, and the parts of the shell that depend on the
// session.
gateWeb(sessionWeb, {
  // Without English texts: their paths are few, so some controls are used in Chinese only.
  places:
    /^(jw-sign-in|jw-dialog--narrow|jw-fault|jw-state|jw-top__user|jw-menu__leaf|jw-top__tools button 语言)(?!.* [A-Z][a-z])/,
  survivors: {
    'jw-menu__leaf a': 'its target is walked with the tags machine',
    'jw-sign-in div': 'a message for an empty field, from the form itself',
    'jw-sign-in button 显示密码': 'shows the password, without the machine',
    'jw-state button 返回首页': 'belongs to the not-found page behind',
  },
})
