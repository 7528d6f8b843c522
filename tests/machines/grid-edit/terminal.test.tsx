import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { gridTerminal } from './terminal.tsx'

gateTerminal(gridTerminal.parts, gridTerminal.makeScreen)
