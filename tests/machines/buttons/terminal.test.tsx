import { coverEdges } from '@jiaowu/path-tests'
import { mapParts } from '../../surfaces/parts.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { buttonsModels } from './model.ts'
import { buttonsOnTerminal, buttonsTerminal } from './terminal.tsx'

const words =
  'the driver reads that something is asked or under way; the words are compared on the web'
gateTerminal(
  mapParts(buttonsModels.parts, (part) => buttonsOnTerminal(part)),
  buttonsTerminal,
  {
    few: coverEdges,
    survivors: {
      '按钮send 确定对': words,
      '按钮ask 正在执行': words,
      '按钮send 正在执行': words,
      '按钮sql 正在执行': words,
    },
  },
)
