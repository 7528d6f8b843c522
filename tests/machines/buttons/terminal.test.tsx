import { coverEdges } from '@jiaowu/path-tests'
import { mapParts } from '../../surfaces/parts.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { buttonsModels } from './model.ts'
import { buttonsOnTerminal, buttonsTerminal } from './terminal.tsx'

gateTerminal(
  mapParts(buttonsModels.parts, (part) => buttonsOnTerminal(part)),
  buttonsTerminal,
  { few: coverEdges, survivors: {} },
)
