import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { adoptTerminal } from './terminal.tsx'

gateTerminal(adoptTerminal.parts, adoptTerminal.makeScreen, { survivors: {} })
