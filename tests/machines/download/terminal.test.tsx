import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

const title = '本科生电子成绩单 / 证明材料'.slice(0, 16)
gateTerminal(driver, {
  survivors: {
    [`${title} q 离开`]: 'leaves the command: no machine’s',
    [`${title} ↓ 移动`]: 'the screen itself moves the cursor; the model opens the first document',
    [`${title} p 保存预览`]: 'writes what is shown into a file: the terminal’s own',
  },
})
