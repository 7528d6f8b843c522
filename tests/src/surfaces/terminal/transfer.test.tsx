import { transferParts } from '../../models/transfer.model.ts'
import { mapParts } from '../parts.ts'
import { gateTerminal } from './gate-terminal.tsx'
import { transferOnTerminal, transferTerminal } from './transfer.tsx'

// On a terminal an export is a command with a line of progress, not a screen.
const { exporting: _exporting, ...parts } = transferParts

/** Both heads of the screen: before there is a job, and with one. */
const everywhere = (arguments_: Readonly<Record<string, string>>) => Object.fromEntries(['导入', '导入 甲 A'].flatMap((place) => Object.entries(arguments_).map(([part, why]) => [`${place} ${part}`, why])))
const otherChoice = 'one more choice of the same event: the model makes the choice of the mode'
const ownPart = 'a moment of the screen’s own: where the cursor is, which pane stands in front'

gateTerminal(mapParts(parts, (model) => transferOnTerminal(model)), transferTerminal, {
  survivors: everywhere({
    'q 离开': 'leaves the command; the job goes on', 'esc 离开': 'leaves the command', 'f 只存错误行': otherChoice, '^d 只检查': otherChoice, '^f 出错时': otherChoice, '^g 空单元格': otherChoice, 'o 出错时': otherChoice, 'e 空单元格': otherChoice, 'v 此列空格': otherChoice, 'k 匹配字段': otherChoice, 'key': ownPart,
    'xlsx、csv 或 ndjson': 'the hint in an empty field', '文件已保存': 'a toast: what is said is compared as the machine says it, and it goes with the next key',
  }),
})
