import { coverEdges } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { mapParts } from '../../surfaces/parts.ts'
import { gateTerminal } from '../../surfaces/terminal/gate-terminal.tsx'
import { revealModels } from './model.ts'
import { revealOnTerminal, revealTerminal } from './terminal.tsx'

gateTerminal(
  mapParts(revealModels.parts, (part) =>
    revealOnTerminal({ ...(part as Spec<unknown>), unhandled: [] }),
  ),
  revealTerminal,
  { few: coverEdges, survivors: {} },
)
