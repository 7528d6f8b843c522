import { gateParts } from '../gate-parts.ts'
import { transferModels } from './model.ts'

gateParts(transferModels)
