import { coverEdges } from '@jiaowu/path-tests'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { buttonsTerminal } from './terminal.tsx'

gateTerminal(buttonsTerminal.parts, buttonsTerminal.makeScreen, { few: coverEdges, survivors: {} })
