import { coverClasses } from '@jiaowu/path-tests'
import { formModel } from './model.ts'
import { mapParts } from '../../surfaces/parts.ts'
import { formOnTerminal, formTerminal } from './terminal.tsx'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'

const concerns = {
  add: formModel(['add'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  edit: formModel(['edit'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  stale: formModel(['edit'], ['name'], { saves: ['saved', 'stale', 'staleEmpty'] }),
} as const
const cursor = 'the screen itself moves the cursor; leaving a valid field changes nothing'
const picker = 'opens the choices of a field: the paths of the machine lookup'
gateTerminal(
  mapParts(concerns, (model) => formOnTerminal(model)),
  formTerminal,
  {
    few: (graph) => coverClasses(graph, ({ step, taken }) => `${step.label} ${taken.join(' ')}`),
    survivors: {
      '甲 新增 ↓ 移动': cursor,
      '甲 编辑 0 ↓ 移动': cursor,
      '甲 新增 enter 选择': picker,
      '甲 编辑 0 enter 选择': picker,
    },
  },
)
