import type { Spec } from '../spec.ts'
import { mapParts } from '../../surfaces/parts.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { gridEditModels, gridTerminalParts } from './model.ts'
import { gridOnTerminal, gridTerminal } from './terminal.tsx'

gateTerminal(
  mapParts(
    Object.fromEntries(gridTerminalParts.map((name) => [name, gridEditModels.parts[name]])),
    (part) => gridOnTerminal({ ...(part as Spec<unknown>), unhandled: [] }),
  ),
  gridTerminal,
)
