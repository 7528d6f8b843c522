import type { Message } from '@jiaowu/api/texts/index'
import { sendEffect } from '@jiaowu/path-tests'
import type { ReactElement } from 'react'
import { StudentSignIn } from '../../../apps/web/src/features/student/sign-in/student-sign-in.tsx'
import { sentence, zh } from '../sentences.ts'
import { findFirst, page, type Target } from './dom/by-role.ts'
import type { EffectLog } from './dom/effects.ts'
import { custom, type Gesture, inTurn, withoutOffer } from './dom/gestures.ts'
import { createRead } from './dom/reads.ts'
import { wrapData } from './http/held-fetch.ts'
import type { Host } from './table.ts'

/** The form of the sign-in; dialogs are outside of it. */
export const signInForm = page.css('.jw-test-sign-in')
export const captcha = page.dialog(zh('studentPage.captchaTitle'))
export const cancelCaptcha = captcha.button(zh('studentPage.cancel'))

export function SignInPage({
  onSignedIn = () => {},
}: {
  readonly onSignedIn?: ((facts: object) => void) | undefined
}): ReactElement {
  return (
    <div className="jw-test-sign-in">
      <StudentSignIn onSignedIn={onSignedIn} />
    </div>
  )
}

/** The button that requests a code; its text counts down while the next request is locked. */
export function codeButton(form: Target): Target {
  return findFirst(form.button(zh('studentPage.getCode')), form.button(/^\d+ 秒后重新发送$/))
}

export function submitButton(form: Target): Target {
  return form.button().where((each) => each.getAttribute('type') === 'submit')
}

/** Gestures of a form that is sent with a code: requesting the code, sending, the captcha before another try. */
export function codeGestures(form: Target) {
  return {
    'code.ask': askForCode(form),
    'form.submit': submitButton(form).press,
    'captcha.solved': withoutOffer(
      inTurn(
        captcha.field(zh('studentPage.captchaInput')).editable.fill('AB12'),
        submitButton(captcha).press,
      ),
    ),
    'captcha.cancelled': cancelCaptcha.press,
  }
}

/** Requests a code and closes the dialog that opens for it at once: the dialog is part of another machine. */
function askForCode(form: Target): Gesture {
  return inTurn(
    codeButton(form).press,
    custom((held) => {
      focusWatch.listen(false)
      if (captcha.isShown()) cancelCaptcha.press.run(held)
    }),
  )
}

/** The messages under the fields of a form, in the order of `labels`. */
export function faultsUnder<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  form: Target,
) {
  const fields = Object.entries<string>(labels)
  return createRead(() =>
    fields
      .map(([, label]) => form.field(label).first?.id ?? '')
      .map((id) => document.getElementById(`${id}-fault`)?.textContent?.trim() ?? '')
      .join('|'),
  ).is(({ faults }: { readonly faults: Readonly<Partial<Record<Name, Message>>> }) =>
    fields.map(([name]) => sentence(faults[name as Name])).join('|'),
  )
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
    HTMLInputElement.prototype.focus = function reportFocus(this: HTMLInputElement, ...how: []) {
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

/** A form that is sent with a code: the fields that it focuses (by id), and its captchas (for a code to `mobile`). */
export function codeHost(
  effects: EffectLog,
  ids: Readonly<Record<string, string>>,
  mobile: Target,
  onSignedIn?: (facts: object) => void,
): Host {
  let isProof = false
  return {
    show: () => {
      focusWatch.start((id) => {
        if (ids[id] !== undefined) effects.add({ type: 'invalid', field: ids[id] })
      })
      return <SignInPage onSignedIn={onSignedIn} />
    },
    stop: focusWatch.stop,
    background: ({ path }) => {
      if (path === '/stuLogin/verify') return wrapData({ ticket: 't' })
      if (path === '/stuLogin/captcha')
        effects.addRaw(
          sendEffect(
            'smsCode',
            isProof
              ? { type: 'captcha.prove' }
              : { type: 'sms.ask', mobile: mobile.value().trim() },
          ),
        )
      return wrapData({ key: 'k', image: 'data:,' })
    },
    before: ({ event }) => {
      isProof = event.type === 'form.submit'
      focusWatch.listen(event.type === 'code.ask' || isProof)
    },
  }
}
