import { coverClasses, type Edge, type Graph, stepId } from '@jiaowu/path-tests'
import { readCursor } from './cursor.ts'
import { gateTerminal } from './gate-terminal.tsx'
import { registerTerminal, signInTerminal } from './student-sign-in.tsx'

/**
 * Each transition once with every gesture, from each field with the cursor and to each field it
 * moves to: both ways out of a field, each field that a fault focuses.
 */
function gestureAt({ nodes }: Graph) {
  return ({ taken, step, from, to }: Edge): string =>
    [
      ...taken,
      stepId(step),
      ...[from, to].map((at) => {
        const node = nodes[at]
        return node === undefined ? '' : readCursor(node.snapshot)
      }),
    ].join(' ')
}
const title = '本科生电子成绩单 / 证明材料'.slice(0, 16)
const leaving = 'leaves the command: not part of the machine'
const captcha = 'of the captcha: another machine'
const beside = 'of the sign-in, which shows when the registration is closed: another machine'
const few = (graph: Graph) => coverClasses(graph, gestureAt(graph))

gateTerminal(signInTerminal, {
  few,
  reaches: 'all',
  survivors: {
    [`${title} ^n 注册`]: 'opens the registration: another machine',
    [`${title} esc 离开`]: leaving,
    [`${title} 填写验证码`]: captcha,
    [`${title} ^r 换一张`]: captcha,
    [`${title} esc 取消`]: captcha,
    [`${title} 图中的字符`]: captcha,
  },
})
gateTerminal(registerTerminal, {
  few,
  reaches: 'all',
  survivors: {
    [`${title} ↓ 移动`]: beside,
    [`${title} ^g 获取验证码`]: beside,
    [`${title} enter 登录`]: beside,
    [`${title} esc 离开`]: leaving,
    '学生注册 填写验证码': captcha,
    '学生注册 ^r 换一张': captcha,
    '学生注册 enter 确定': captcha,
    '学生注册 图中的字符': captcha,
    [`${title} 短信验证码`]: beside,
  },
})
