import type { NoticesPorts } from '@jiaowu/machines/notices/ports'
import type { SessionFacts } from '@jiaowu/machines/session/ports'
import type { SmsCodePorts } from '@jiaowu/machines/sms-code/ports'
import type { StudentSignInPorts } from '@jiaowu/machines/sign-in/ports'
import type { AnyMachineSnapshot } from 'xstate'
import {
  noticesPorts,
  signInPorts,
  smsPorts,
} from '../../../../apps/web/src/ports/student-ports.ts'
import { noticesModels } from '../../../machines/notices/model.ts'
import { signInModels } from '../../../machines/sign-in/model.ts'
import { smsCodeModels } from '../../../machines/sms-code/model.ts'
import { must, expectSame } from '../checks.ts'
import { answers, type CallOf, refuses } from '../endings.ts'
import type { RunContext } from '../run-context.ts'
import { type ServerParts, buildServerParts } from '../server-part.ts'
import { askCode, codeForStudent, newMobile, newTicket, readsCodes } from './students.ts'

/** Captchas and SMS codes. */
export const serverSmsCode: ServerParts = ({ run }) =>
  buildServerParts({
    model: smsCodeModels,
    ports: smsPorts(run.anonymous),
    calls: { captcha: captcha(), verify: verify(run), smsCode: smsCode(run) },
    start: { fresh: ({ now }) => ({ purpose: '1', facts: null, now }) },
    key: ({ value, context: c }) => [
      value,
      c.picture !== null,
      c.answer,
      c.ticket !== null,
      c.mobile,
      c.lockedUntil > c.now(),
      c.isProof,
      c.problem?.code ?? null,
    ],
    parts: { smsCode: {} },
  })

type SmsCall<Name extends keyof SmsCodePorts> = CallOf<SmsCodePorts, Name>
const dataUri = 'data:image/png;base64,'

function captcha(): SmsCall<'captcha'> {
  return {
    picture: answers(
      { key: 'k', image: dataUri },
      {
        check: ({ key, image }) => [
          must(key !== '', 'key: empty'),
          must(image.startsWith(dataUri), 'image: no PNG'),
        ],
      },
    ),
  }
}

function verify({ anonymous, settings }: RunContext): SmsCall<'verify'> {
  const { captcha: right } = settings
  const solved = async (answer: string) => ({
    key: (await anonymous.student.captcha({})).key,
    answer,
  })
  return {
    ...(right === null
      ? {}
      : {
          right: answers({ ticket: 't' }, async () => ({
            input: await solved(right),
            check: ({ ticket }) => must(ticket !== '', 'ticket: empty'),
          })),
        }),
    wrong: refuses({ codes: 400, data: () => '' }, async () => ({
      input: await solved('----'),
      check: ({ data }) => must(typeof data === 'string', 'data: not the sentence'),
    })),
  }
}

function smsCode(run: RunContext): SmsCall<'smsCode'> {
  const sent: SmsCall<'smsCode'> = {
    minute: answers({ lockSeconds: 60 }, async (asked) => ({
      input: { ...asked, mobile: newMobile(), ticket: await newTicket(run) },
      check: ({ lockSeconds }) => expectSame('lockSeconds', 60, lockSeconds),
    })),
    soon: refuses({ codes: 429, data: () => ({ lockSeconds: 60 }) }, async (asked) => {
      const mobile = newMobile()
      await askCode(run, mobile, '1')
      return {
        input: { ...asked, mobile, ticket: await newTicket(run) },
        check: ({ data }) => {
          const { lockSeconds } = (data ?? {}) as { lockSeconds?: unknown }
          const fits = typeof lockSeconds === 'number' && lockSeconds > 0 && lockSeconds <= 60
          return must(fits, `data.lockSeconds: ${String(lockSeconds)}`)
        },
      }
    }),
  }
  return {
    ...(run.settings.captcha === null ? {} : sent),
    // A ticket that was never issued (docs/rules/security.md#h1).
    refused: refuses(403, (asked) => ({
      input: { ...asked, mobile: newMobile(), ticket: 'nobody-was-given-this-ticket' },
    })),
  }
}

/** A student signs in by a code, or fails to. */
export const serverSignIn: ServerParts = ({ run }) =>
  buildServerParts({
    model: signInModels,
    ports: signInPorts(run.anonymous),
    calls: { signIn: buildStudentSignIn(run) },
    samples: {
      'field.change': {
        mobile: { field: 'mobile', value: '13800000001' },
        code: { field: 'code', value: '123456' },
      },
    },
    key: formKey,
    parts: { signIn: { events: 'field.change, form.submit' } },
  })

function buildStudentSignIn(run: RunContext): CallOf<StudentSignInPorts, 'signIn'> {
  const facts: SessionFacts = { version: 1, token: 't', refreshToken: 'r', expiresAt: 1_000 }
  const signedIn: CallOf<StudentSignInPorts, 'signIn'> = {
    in: answers(facts, async () => ({
      input: { ...(await codeForStudent(run)), ticket: '' },
      check: async ({ token }) => {
        const { api } = run.userWith({ access: token, refresh: '' })
        const { fldXh } = await api.student.detail({})
        await api.session.signOut({})
        return must(fldXh !== '', 'fldXh: the student has no number')
      },
    })),
  }
  return {
    ...(readsCodes(run) ? signedIn : {}),
    wrong: refuses(400, () => ({ input: { mobile: newMobile(), code: '000000', ticket: '' } })),
  }
}

/** Builds the key of the facts that decide the next state of the forms of students. */
export function formKey({ value, context: c }: AnyMachineSnapshot): readonly unknown[] {
  return [value, c.values, Object.keys(c.faults).sort(), c.problem?.kind ?? null]
}

/** Calls that need no sign-in. */
export const serverNotices: ServerParts = async ({ run }) => {
  const ports = noticesPorts(run.anonymous)
  const listed = await ports.notices(undefined, new AbortController().signal)
  const [first, second] = listed
  return buildServerParts<NoticesPorts>({
    model: noticesModels,
    ports,
    calls: {
      notices: {
        two: answers(listed, {
          check: (notices) => {
            const times = notices.map(({ issueTime }) => issueTime)
            return [
              must(notices.length > 0, 'no notice: the demo data has twelve'),
              expectSame('the order of notices', [...times].sort().reverse(), times),
              notices.map(({ id, title }) => must(title !== '', `notice ${id} has no title`)),
            ]
          },
        }),
      },
    },
    samples: {
      'notice.open': { a: { id: first?.id ?? '' }, b: { id: second?.id ?? '' }, gone: { id: 'x' } },
    },
    parts: { notices: {} },
  })
}
