import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { sessionTerminal } from './terminal.tsx'

gateTerminal(sessionTerminal.parts, sessionTerminal.makeScreen, { survivors: {} })
