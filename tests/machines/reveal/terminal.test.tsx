import { coverEdges } from '@jiaowu/path-tests'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { driver } from './terminal.tsx'

gateTerminal(driver, { few: coverEdges, survivors: {} })
