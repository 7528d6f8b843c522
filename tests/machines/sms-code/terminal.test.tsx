import { coverClasses, stepId } from '@jiaowu/path-tests'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

const form = 'the form around the code, part of the sign-in machine'
gateTerminal(driver, {
  // Each transition by each sample, so that text is also typed over text.
  few: (graph) =>
    coverClasses(
      graph,
      ({ step, taken, from }) =>
        `${stepId(step)} ${taken.join(' ')} ${step.kind === 'user' ? (graph.nodes[from]?.state ?? '') : ''}`,
    ),
  survivors: { '门 ↓ 移动': form, '门 enter 登录': form, '门 门': form, '门 验证码': form },
})
