import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

/** Pressed by `tests/cli/flow.test.ts`. */
const survivors = {
  '我的待办 esc 离开': 'leaves the command: not an event of the machine',
  '我的待办 ↓ 移动':
    'moves the cursor, which the walk of each transition once leaves at the first case',
  '我的待办 enter 打开': 'opens a case: not an event of the machine',
}

gateTerminal(driver, { survivors })
