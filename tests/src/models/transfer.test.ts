import { gateParts } from './gate-parts.ts'
import { transferModels } from './transfer.model.ts'

gateParts(transferModels)
