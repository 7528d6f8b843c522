import type { Notice, SessionFacts } from '@jiaowu/machines'
import {
  noticesPorts,
  signInPorts,
  smsPorts,
} from '../../../../apps/web/src/ports/student-ports.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../../../machines/spec.ts'
import { noticesModels } from '../../../machines/notices/model.ts'
import { signInModels } from '../../../machines/sign-in/model.ts'
import { smsCodeModels } from '../../../machines/sms-code/model.ts'
import { no, ok, problemIn, refusedAs, same, type Scenes, type Stage } from '../server-driver.ts'
import type { RunContext } from '../run-context.ts'
import type { ServerParts } from '../server-part.ts'
import { askCode, codeForStudent, newMobile, newTicket, readsCodes } from './students.ts'
const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output

/** Captchas and SMS codes. */
export const serverSmsCode: ServerParts = ({ run }) => {
  const { anonymous } = run
  const scenes = smsScenesOf(run)
  const base = firstOf(smsCodeModels.parts)
  const inputs = base.input as Readonly<Record<string, (clock: { now(): number }) => unknown>>
  const spec: Spec<unknown> = {
    ...base,
    unhandled: [],
    input: { fresh: inputs.fresh ?? (() => ({})) },
    outcomes: only(scenes, {
      captcha: { picture: ok({ key: 'k', image: 'data:image/png;base64,' }) },
      verify: { right: ok({ ticket: 't' }), wrong: no('refused', 400, '') },
      smsCode: {
        minute: ok({ lockSeconds: 60 }),
        soon: no('refused', 429, { lockSeconds: 60 }),
        refused: no('refused', 403),
      },
    }),
    key: (s) => {
      const c = s.context
      return JSON.stringify([
        s.value,
        c.picture !== null,
        c.answer,
        c.ticket !== null,
        c.mobile,
        c.lockedUntil > c.now(),
        c.isProof,
        c.problem?.code ?? null,
      ])
    },
  }
  return Promise.resolve({ smsCode: { spec, scenes, stage: staged(smsPorts(anonymous), scenes) } })
}

function smsScenesOf(run: RunContext): Scenes {
  const { anonymous, settings } = run
  const picture = async () => (await anonymous.student.captcha({})).key
  return {
    captcha: {
      picture: async () => ({
        check: (answer) => {
          const { key, image } = outputOf<{ key: string; image: string }>(answer)
          return [
            ...(key === '' ? ['key: empty'] : []),
            ...(image.startsWith('data:image/png;base64,') ? [] : ['image: no PNG']),
          ]
        },
      }),
    },
    verify: {
      ...(settings.captcha === null
        ? {}
        : {
            right: async () => ({
              input: { key: await picture(), answer: settings.captcha },
              check: async (answer: Outcome) =>
                outputOf<{ ticket: string }>(answer).ticket === '' ? ['ticket: empty'] : [],
            }),
          }),
      wrong: async () => ({
        input: { key: await picture(), answer: '----' },
        check: (answer) => [
          ...refusedAs(answer, 'refused', 400),
          ...(typeof problemIn(answer)?.data === 'string' ? [] : ['data: not the sentence']),
        ],
      }),
    },
    smsCode: {
      ...(settings.captcha === null
        ? {}
        : {
            minute: async (asked: object) => ({
              input: { ...asked, mobile: newMobile(), ticket: await newTicket(run) },
              check: (answer: Outcome) =>
                same('lockSeconds', 60, outputOf<{ lockSeconds: number }>(answer).lockSeconds),
            }),
            soon: async (asked: object) => {
              const mobile = newMobile()
              await askCode(run, mobile, '1')
              return {
                input: { ...asked, mobile, ticket: await newTicket(run) },
                check: (answer: Outcome) => {
                  const { lockSeconds } = (problemIn(answer)?.data ?? {}) as {
                    lockSeconds?: number
                  }
                  return [
                    ...refusedAs(answer, 'refused', 429),
                    ...(typeof lockSeconds === 'number' && lockSeconds > 0 && lockSeconds <= 60
                      ? []
                      : [`data.lockSeconds: ${String(lockSeconds)}`]),
                  ]
                },
              }
            },
          }),
      // A ticket that was never issued (docs/rules/security.md#h1).
      refused: async (asked: object) => ({
        input: { ...asked, mobile: newMobile(), ticket: 'nobody-was-given-this-ticket' },
        check: (answer) => refusedAs(answer, 'refused', 403),
      }),
    },
  }
}

function firstOf(parts: Readonly<Record<string, unknown>>): Spec<unknown> {
  return Object.values(parts)[0] as Spec<unknown>
}

function only(
  scenes: Scenes,
  samples: Readonly<Record<string, Readonly<Record<string, Outcome>>>>,
) {
  return Object.fromEntries(
    Object.entries(samples).map(([port, cases]) => [
      port,
      Object.fromEntries(
        Object.entries(cases).filter(([name]) => scenes[port]?.[name] !== undefined),
      ),
    ]),
  )
}

function staged(ports: object, scenes: Scenes) {
  return (): Promise<Stage> => Promise.resolve({ ports: ports as never, scenes })
}

/** A student signs in by a code, or fails to. */
export const serverSignIn: ServerParts = ({ run }) => {
  const { anonymous } = run
  const scenes: Scenes = {
    signIn: {
      ...(readsCodes(run)
        ? {
            in: async () => ({
              input: await codeForStudent(run),
              check: async (answer: Outcome) => {
                const { token } = outputOf<SessionFacts>(answer),
                  { api } = run.userWith({ access: token, refresh: '' })
                const { fldXh } = await api.student.detail({})
                await api.session.signOut({})
                return fldXh === '' ? ['fldXh: the student has no number'] : []
              },
            }),
          }
        : {}),
      wrong: async () => ({
        input: { mobile: newMobile(), code: '000000' },
        check: (answer) => refusedAs(answer, 'refused', 400),
      }),
    },
  }
  const facts: SessionFacts = { version: 1, token: 't', refreshToken: 'r', expiresAt: 1_000 }
  const base = firstOf(signInModels.parts)
  const spec: Spec<unknown> = {
    ...base,
    unhandled: [],
    events: {
      'field.change': {
        mobile: { field: 'mobile', value: '13800000001' },
        code: { field: 'code', value: '123456' },
      },
      'form.submit': { bare: {} },
    },
    outcomes: only(scenes, { signIn: { in: ok(facts), wrong: no('refused', 400) } }),
    key: (s) =>
      JSON.stringify([
        s.value,
        s.context.values,
        Object.keys(s.context.faults).sort(),
        s.context.problem?.kind ?? null,
      ]),
  }
  return Promise.resolve({
    signIn: { spec, scenes, stage: staged(signInPorts(anonymous), scenes) },
  })
}

/** What can be read without signing in. */
export const serverNotices: ServerParts = async ({ run }) => {
  const ports = noticesPorts(run.anonymous)
  const listed = await ports.notices(undefined, new AbortController().signal)
  const scenes: Scenes = {
    notices: {
      two: async () => ({
        check: (answer) => {
          const notices = outputOf<readonly Notice[]>(answer),
            times = notices.map(({ issueTime }) => issueTime)
          return [
            ...(notices.length === 0 ? ['no notice: the demo data has twelve'] : []),
            ...same('the order of notices', [...times].sort().reverse(), times),
            ...notices
              .filter(({ title }) => title === '')
              .map(({ id }) => `notice ${id} has no title`),
          ]
        },
      }),
    },
  }
  const [first, second] = listed
  const base = firstOf(noticesModels.parts)
  const spec: Spec<unknown> = {
    ...base,
    unhandled: [],
    events: {
      ...base.events,
      'notice.open': { a: { id: first?.id ?? '' }, b: { id: second?.id ?? '' }, gone: { id: 'x' } },
    },
    outcomes: { notices: { two: ok(listed) } },
  }
  return { notices: { spec, scenes, stage: staged(ports, scenes) } }
}
