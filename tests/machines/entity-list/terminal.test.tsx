import { coverEachClass } from '../../surfaces/classes.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

const notice = 'a notice; its message is compared as an effect'

gateTerminal(driver, {
  few: coverEachClass,
  survivors: {
    '甲 A 操作完成': notice,
    '甲 A 已删除': notice,
    '甲 A 已撤销': notice,
    '甲 A pressed': notice,
  },
})
