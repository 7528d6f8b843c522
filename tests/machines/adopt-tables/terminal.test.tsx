import { mapParts } from '../../surfaces/parts.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import type { Spec } from '../spec.ts'
import { adoptTablesModels } from './model.ts'
import { adoptOnTerminal, adoptTerminal } from './terminal.tsx'

gateTerminal(
  mapParts(adoptTablesModels.parts, (part) =>
    adoptOnTerminal({ ...(part as Spec<unknown>), unhandled: [] }),
  ),
  adoptTerminal,
  { survivors: {} },
)
