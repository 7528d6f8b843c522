import type { RegisterContext } from '@jiaowu/machines/register/machine'
import type { Rule } from '@jiaowu/path-tests'
import { proofRules } from '../sms-code/proof.ts'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readRegisterContext = ({ snapshot }: Worlds) => snapshot.context as RegisterContext
const blank = JSON.stringify([{ idNumber: '', major: '', mobile: '', code: '' }, {}, null])

/** Promises of registration (docs/spec/2-student-service-and-designer.md §4, §5). */
export const registerRules: readonly Rule[] = [
  {
    name: 'a code is asked for only with a right number and an ID',
    kind: 'edge',
    holds: ({ effects }, from) =>
      effects
        .filter((effect) => effect.startsWith('send smsCode') && !effect.includes('captcha.prove'))
        .every(
          (effect) =>
            effect.includes('"mobile":"13800000001"') &&
            readRegisterContext(from).values.idNumber.trim() !== '',
        ),
  },
  {
    name: 'nothing is sent that the rules refuse, nor with blanks around it',
    kind: 'edge',
    holds: ({ effects }) =>
      effects
        .filter((effect) => effect.startsWith('call register'))
        .every((effect) =>
          effect.includes(
            '{"idNumber":"11010119900307001X","major":"数学","mobile":"13800000001","code":"123456",',
          ),
        ),
  },
  {
    name: 'closed is blank, and its timer is gone',
    kind: 'state',
    holds: (node) =>
      !isIn(node, 'closed') ||
      (JSON.stringify([
        readRegisterContext(node).values,
        readRegisterContext(node).faults,
        readRegisterContext(node).problem,
      ]) === blank &&
        node.snapshot.children.smsCode === undefined),
  },
  {
    name: 'what is on its way is not taken away',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.kind === 'user' && isIn(from, { open: 'submitting' })) || from.key === to.key,
  },
  {
    name: 'registered is emitted, and the dialog closes',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      step.label !== 'register → done' ||
      (isIn(to, 'closed') &&
        effects.some(
          (effect) => effect.includes('studentFlow.registered') && effect.includes('13800000001'),
        )),
  },
  {
    name: 'what waits for a clerk says so until the dialog is closed, and nothing is sent again',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      (step.label !== 'register → waiting' ||
        (isIn(to, { open: 'waiting' }) && readRegisterContext(to).waitingDays === 14)) &&
      (!isIn(from, { open: 'waiting' }) ||
        (effects.every((effect) => !effect.startsWith('call')) &&
          (from.key === to.key || isIn(to, 'closed')))),
  },
  {
    name: 'days are shown only while it waits',
    kind: 'state',
    holds: (node) =>
      (readRegisterContext(node).waitingDays !== null) === isIn(node, { open: 'waiting' }),
  },
  ...proofRules(
    {
      call: 'register',
      captchaNeeded: (node) => readRegisterContext(node).captchaNeeded,
      isProving: (node) => isIn(node, { open: 'proving' }),
    },
    'a registration',
  ),
  {
    name: 'a ticket is kept only while it is spent',
    kind: 'state',
    holds: (node) => readRegisterContext(node).ticket === '' || isIn(node, { open: 'submitting' }),
  },
  {
    name: 'a refusal keeps what was typed',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'register → refused' ||
      (isIn(to, { open: 'refused' }) &&
        readRegisterContext(to).problem?.code === 400 &&
        readRegisterContext(to).values === readRegisterContext(from).values),
  },
  {
    name: 'a refusal is forgotten when something is typed',
    kind: 'state',
    holds: (node) =>
      (readRegisterContext(node).problem !== null) === isIn(node, { open: 'refused' }),
  },
  {
    name: 'from everywhere the dialog can be shut',
    kind: 'reach',
    to: (node) => isIn(node, 'closed'),
  },
]

function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}
