import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

gateTerminal(driver, { survivors: {} })
