import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

const otherChoice = 'another choice of the same event; the model chooses the mode'
const typed = 'typed text and its hint, which belong to the field'

gateTerminal(driver, {
  survivors: {
    '导入 q 离开': 'leaves the command; the job goes on',
    '导入 甲 A q 离开': 'leaves the command; the job goes on',
    '导入 esc 离开': 'leaves the command',
    '导入 ^f 出错时': otherChoice,
    '导入 ^g 空单元格': otherChoice,
    '导入 ^d 只检查': otherChoice,
    '导入 甲 A f 只存错误行': otherChoice,
    '导入 甲 A o 出错时': otherChoice,
    '导入 甲 A e 空单元格': otherChoice,
    '导入 甲 A v 此列空格': otherChoice,
    '导入 文件路径：': typed,
    '导入 xlsx、csv 或 ndjson': typed,
    '导入 文件已保存': 'a toast; its message is compared as an effect, and the next key closes it',
  },
})
