import type { StudentSignInContext } from '@jiaowu/machines/sign-in/machine'
import type { Rule } from '@jiaowu/path-tests'
import { proofRules } from '../sms-code/proof.ts'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readStudentContext = ({ snapshot }: Worlds) => snapshot.context as StudentSignInContext

/** Promises of a student's sign-in (docs/spec/2-student-service-and-designer.md §4, §5). */
export const signInRules: readonly Rule[] = [
  {
    name: 'a code is asked for only with a right number',
    kind: 'edge',
    holds: ({ effects }) =>
      effects
        .filter((effect) => effect.startsWith('send smsCode') && !effect.includes('captcha.prove'))
        .every((effect) => effect.includes('"mobile":"13800000001"')),
  },
  {
    name: 'a code that cannot be asked for says why, at the number',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(
        step.label === 'code.ask' &&
        isIn(from, 'form') &&
        readStudentContext(from).values.mobile !== '13800000001 '
      ) ||
      (readStudentContext(to).faults.mobile !== undefined &&
        effects.some((effect) => effect.includes('"field":"mobile"'))),
  },
  {
    name: 'nothing is sent that the rules refuse',
    kind: 'edge',
    holds: ({ effects }) =>
      effects
        .filter((effect) => effect.startsWith('call signIn'))
        .every((effect) => effect.includes('{"mobile":"13800000001","code":"123456",')),
  },
  ...proofRules(
    {
      call: 'signIn',
      captchaNeeded: (node) => readStudentContext(node).captchaNeeded,
      isProving: (node) => isIn(node, 'proving'),
    },
    'a code',
  ),
  {
    name: 'a ticket is kept only while it is spent',
    kind: 'state',
    holds: (node) => readStudentContext(node).ticket === '' || isIn(node, 'submitting', 'done'),
  },
  {
    name: 'a refusal keeps what was typed',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'signIn → wrong' ||
      (isIn(to, { form: 'refused' }) &&
        readStudentContext(to).problem?.code === 400 &&
        readStudentContext(to).values === readStudentContext(from).values),
  },
  {
    name: 'a refusal is forgotten when something is typed',
    kind: 'state',
    holds: (node) =>
      (readStudentContext(node).problem !== null) === isIn(node, { form: 'refused' }),
  },
  {
    name: 'signed in is emitted, with the facts of the session',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      step.label !== 'signIn → in' ||
      (isIn(to, 'done') && effects.some((effect) => effect.includes('"token":"t"'))),
  },
  { name: 'from everywhere one can come in', kind: 'reach', to: (node) => isIn(node, 'done') },
]

function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}
