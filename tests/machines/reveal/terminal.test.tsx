import { coverEdges } from '@jiaowu/path-tests'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { revealTerminal } from './terminal.tsx'

gateTerminal(revealTerminal.parts, revealTerminal.makeScreen, { few: coverEdges, survivors: {} })
