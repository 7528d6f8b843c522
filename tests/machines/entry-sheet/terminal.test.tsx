import { coverEdges } from '@jiaowu/path-tests'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

/** Pressed by `tests/cli/entity/entry.test.ts`. */
const leaves = 'leaves the command: not an event of the machine'

gateTerminal(driver, {
  few: coverEdges,
  survivors: {
    '加载中… esc 离开': leaves,
    '高等数学 · 第一学期 esc 离开': leaves,
    'm0 esc 离开': leaves,
  },
})
