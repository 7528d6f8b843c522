import { type Edge, type Graph, journeysBy, stepId } from '@jiaowu/path-tests'
import { registerModels } from '../../machines/register/model.ts'
import { signInModels } from '../../machines/sign-in/model.ts'
import { mapParts } from '../parts.ts'
import { cursorOf } from './cursor.ts'
import { gateTerminal } from './gate-terminal.tsx'
import {
  registerOnTerminal,
  registerTerminal,
  signInOnTerminal,
  signInTerminal,
} from './student-door.tsx'

/** Each transition once with every gesture, from every field where the cursor is and to every one where it goes: both ways out of a field, each field a fault calls to. */
function gestureAt({ nodes }: Graph) {
  return ({ taken, step, from, to }: Edge): string =>
    [
      ...taken,
      stepId(step),
      ...[from, to].map((at) => {
        const node = nodes[at]
        return node === undefined ? '' : cursorOf(node.world.snapshot)
      }),
    ].join(' ')
}
const door = '本科生电子成绩单 / 证明材料'.slice(0, 16)
const leaving = 'leaves the command: no machine’s'
const beside =
  'of the sign-in, which stands there when the registration is shut: the machine beside this one'
const few = (graph: Graph) => journeysBy(graph, gestureAt(graph))

gateTerminal(
  mapParts(signInModels.parts, (part) => signInOnTerminal({ ...part, sneak: [] })),
  signInTerminal,
  {
    few,
    reaches: 'all',
    survivors: {
      [`${door} ^n 注册`]: 'opens the registration: the machine beside this one',
      [`${door} esc 离开`]: leaving,
    },
  },
)
gateTerminal(
  mapParts(registerModels.parts, (part) => registerOnTerminal({ ...part, sneak: [] })),
  registerTerminal,
  {
    few,
    reaches: 'all',
    survivors: {
      [`${door} ↓ 移动`]: beside,
      [`${door} ^g 获取验证码`]: beside,
      [`${door} enter 登录`]: beside,
      [`${door} esc 离开`]: leaving,
      [`${door} 短信验证码`]: beside,
    },
  },
)
