import { mapParts } from '../parts.ts'
import { transferParts } from '../../models/transfer.model.ts'
import { gateTerminal } from './gate-terminal.tsx'
import { transferOnTerminal, transferTerminal } from './transfer.tsx'

// On a terminal an export is a command with a line of progress, not a screen.
const { exporting: _exporting, ...parts } = transferParts
gateTerminal(mapParts(parts, (model) => transferOnTerminal(model)), transferTerminal, { survivors: {} })
