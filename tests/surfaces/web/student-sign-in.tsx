import { sendEffect } from '@jiaowu/path-tests'
import type { ReactElement } from 'react'
import { StudentSignIn } from '../../../apps/web/src/features/student/sign-in/student-sign-in.tsx'
import { button, bySelector, dialog, either, field, having, type Target } from './dom/by-role.ts'
import type { effectLog } from './dom/effects.ts'
import { custom, fill, type Gesture, inTurn, press, unlisted } from './dom/gestures.ts'
import { answered } from './http/held-fetch.ts'
import { isShown } from './dom/reads.ts'
import { zh } from './dom/sentences.ts'

/** The form of the sign-in; dialogs are outside of it. */
export const signInForm = bySelector('.jw-test-sign-in')
export const captcha = dialog(zh('studentPage.captchaTitle'))
export const cancelCaptcha = button(zh('studentPage.cancel'), captcha)

export function SignInPage({
  onSignedIn = () => {},
}: {
  readonly onSignedIn?: (facts: object) => void
}): ReactElement {
  return (
    <div className="jw-test-sign-in">
      <StudentSignIn onSignedIn={onSignedIn} />
    </div>
  )
}

/** The button that requests a code; its text counts down while the next request is locked. */
export function codeButton(scope: Target): Target {
  return either(button(zh('studentPage.getCode'), scope), button(/^\d+ 秒后重新发送$/, scope))
}

export function submitButton(scope: Target): Target {
  return having(button(undefined, scope), (each) => each.getAttribute('type') === 'submit')
}

/** Requests a code and closes the dialog that opens for it at once: the dialog is part of another machine. */
export function askForCode(scope: Target): Gesture {
  return inTurn(
    press(codeButton(scope)),
    custom((held) => {
      focusWatch.listen(false)
      if (isShown(captcha)()) press(cancelCaptcha).run(held)
    }),
  )
}

/** The captcha before a try with a code; the dialog is part of another machine. */
export const solveProof: Gesture = unlisted(
  inTurn(
    fill(
      having(field(zh('studentPage.captchaInput'), captcha), (each) => !each.readOnly),
      'AB12',
    ),
    press(submitButton(captcha)),
  ),
)
export const cancelProof: Gesture = press(cancelCaptcha)

/** The messages under the fields, in the order of `labels`. */
export function faultsUnder(labels: readonly string[], scope: Target): () => string {
  return () =>
    labels
      .map((label) => field(label, scope).all()[0]?.id ?? '')
      .map((id) => document.getElementById(`${id}-fault`)?.textContent?.trim() ?? '')
      .join('|')
}

const { focus: realFocus } = HTMLInputElement.prototype
let listens = false

/**
 * Reports the field that the page focuses while it listens, instead of focusing it: a field that loses the focus again
 * would be one more gesture. Dialogs that close return the focus too, hence the switch.
 */
export const focusWatch = {
  start(onFocus: (id: string) => void): void {
    listens = false
    HTMLInputElement.prototype.focus = function report(this: HTMLInputElement, ...how: []) {
      if (listens) onFocus(this.id)
      else realFocus.apply(this, how)
    }
  },
  listen(on: boolean): void {
    listens = on
  },
  stop(): void {
    HTMLInputElement.prototype.focus = realFocus
  },
}

/**
 * The replies to the dialog of the captcha. Its picture is asked for when a code is requested for
 * `mobile`, or, where that is null, when a proof is.
 */
export function captchaReply(
  path: string,
  effects: ReturnType<typeof effectLog>,
  mobile: (() => string) | null,
) {
  if (path === '/stuLogin/captcha')
    effects.addRaw(
      sendEffect(
        'smsCode',
        mobile === null ? { type: 'captcha.prove' } : { type: 'sms.ask', mobile: mobile().trim() },
      ),
    )
  return answered(path === '/stuLogin/verify' ? { ticket: 't' } : { key: 'k', image: 'data:,' })
}
