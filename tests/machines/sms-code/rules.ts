import type { SmsCodeContext } from '@jiaowu/machines/sms-code/machine'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readSmsContext = ({ snapshot }: Worlds) => snapshot.context as SmsCodeContext

/**
 * Promises of the code request (docs/spec/2-student-service-and-designer.md §4;
 * docs/rules/security.md#sign-in).
 */
export const smsCodeRules: readonly Rule[] = [
  {
    name: 'no SMS without a ticket that was just given',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !starts(effects, 'smsCode') ||
      (step.label === 'verify → right' &&
        effects.some((effect) => effect.includes('"ticket":"t"'))),
  },
  {
    name: 'a captcha for a try with a code sends no SMS, and its ticket goes to the parent',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !readSmsContext(from).isProof ||
      step.label !== 'verify → right' ||
      (!starts(effects, 'smsCode') &&
        effects.some((effect) => effect.includes('captcha.solved') && effect.includes('"t"'))),
  },
  {
    name: 'a captcha that ends or cannot open is answered',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(
        (step.label === 'captcha.cancel' &&
          isIn(from, 'captcha') &&
          readSmsContext(from).isProof) ||
        (step.label === 'captcha.prove' && (!isIn(to, 'captcha') || isIn(from, 'captcha')))
      ) || effects.some((effect) => effect.includes('captcha.cancelled')),
  },
  {
    name: 'a captcha leaves the lock as it was',
    kind: 'edge',
    holds: (_edge, from, to) =>
      !readSmsContext(to).isProof ||
      readSmsContext(from).lockedUntil === readSmsContext(to).lockedUntil,
  },
  {
    name: 'a ticket is kept only while it is spent',
    kind: 'state',
    holds: (node) => (readSmsContext(node).ticket !== '') === isIn(node, 'sending'),
  },
  {
    name: 'no SMS is asked for while locked',
    kind: 'edge',
    holds: ({ effects }, from) => !isIn(from, 'locked') || !starts(effects, 'smsCode'),
  },
  {
    name: 'every SMS that went out locks, and the surface keeps the deadline',
    kind: 'edge',
    holds: ({ step, effects, at }, _from, to) =>
      !/^smsCode → (?:minute|silent)$/.test(step.label) ||
      (isIn(to, 'locked') &&
        readSmsContext(to).lockedUntil === at.now + 60_000 &&
        effects.some((effect) => effect.includes('lockedUntil')) &&
        effects.some((effect) => effect.includes('"sent"'))),
  },
  {
    name: 'a server that says wait is believed, for an hour at most',
    kind: 'edge',
    holds: ({ step, at }, _from, to) =>
      !/^smsCode → (?:soon|absurd)$/.test(step.label) ||
      (isIn(to, 'locked') && readSmsContext(to).lockedUntil - at.now <= 3_600_000),
  },
  {
    name: 'a wrong answer: message, empty input, another picture',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      step.label !== 'verify → wrong' ||
      (readSmsContext(to).problem?.message === 'captcha error!' &&
        readSmsContext(to).answer === '' &&
        starts(effects, 'captcha')),
  },
  {
    name: 'the message of a wrong answer stays until something is typed',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(from, { captcha: 'wrong' }) && step.label === 'captcha → picture') ||
      readSmsContext(to).problem?.message === readSmsContext(from).problem?.message,
  },
  {
    name: 'a picture is answered once',
    kind: 'state',
    holds: (node) =>
      readSmsContext(node).picture === null ||
      isIn(node, { captcha: 'entering' }, { captcha: 'verifying' }),
  },
  {
    name: 'an empty answer is not sent',
    kind: 'edge',
    holds: ({ effects }) =>
      !effects.some((effect) => effect.startsWith('call verify') && effect.includes('"answer":""')),
  },
  {
    name: 'the lock ends by itself, and the surface forgets it',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      step.label !== 'smsLock runs out' ||
      (isIn(to, 'idle') && effects.some((effect) => effect.includes('"facts":null'))),
  },
  {
    name: 'from everywhere a code can be asked for',
    kind: 'reach',
    to: (node) => isIn(node, 'idle'),
  },
]

function starts(effects: readonly string[], port: string) {
  return effects.some((effect) => effect === `call ${port}` || effect.startsWith(`call ${port} `))
}

function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}
