import { coverClasses } from '@jiaowu/path-tests'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

const cursor = 'the screen itself moves the cursor; leaving a valid field changes nothing'
const picker = 'opens the choices of a field: the paths of the machine lookup'
gateTerminal(driver, {
  few: (graph) => coverClasses(graph, ({ step, taken }) => `${step.label} ${taken.join(' ')}`),
  survivors: {
    '甲 新增 ↓ 移动': cursor,
    '甲 编辑 0 ↓ 移动': cursor,
    '甲 新增 key ↓': cursor,
    '甲 编辑 old · 0 ↓ 移动': cursor,
    '甲 编辑 old · 0 key ↓': cursor,
    '甲 编辑 theirs · 0 ↓ 移动': cursor,
    '甲 新增 enter 选择': picker,
    '甲 编辑 old · 0 enter 选择': picker,
  },
})
