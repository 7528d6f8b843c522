import type { Spec } from '../../model/index.ts'
import { downloadModels } from '../../models/download.model.ts'
import { mapParts } from '../parts.ts'
import { downloadOnTerminal, downloadTerminal } from './download.tsx'
import { gateTerminal } from './gate-terminal.tsx'

gateTerminal(mapParts(downloadModels.parts, (model) => downloadOnTerminal(model as unknown as Spec<unknown>)), downloadTerminal, { survivors: {} })
