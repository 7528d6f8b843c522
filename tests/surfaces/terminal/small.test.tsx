import { coverClasses, stepId } from '@jiaowu/path-tests'
import { gateTerminal, type TerminalGate } from './gate-terminal.tsx'
import { sessionOnTerminal, sessionTerminal, smsOnTerminal, smsTerminal } from './small.tsx'

gateTerminal({ session: sessionOnTerminal }, sessionTerminal, { survivors: {} })
// Each transition by each sample, so that text is also typed over text.
const byGesture: TerminalGate['few'] = (graph) =>
  coverClasses(
    graph,
    ({ step, taken, from }) =>
      `${stepId(step)} ${taken.join(' ')} ${step.kind === 'user' ? (graph.nodes[from]?.state ?? '') : ''}`,
  )
const form = 'the form around the code, part of the sign-in machine'
gateTerminal({ smsCode: smsOnTerminal }, smsTerminal, {
  few: byGesture,
  survivors: { '门 ↓ 移动': form, '门 enter 登录': form, '门 门': form, '门 验证码': form },
})
