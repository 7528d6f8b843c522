import { bulkEditModels } from './model.ts'
import { gateParts } from '../gate-parts.ts'

gateParts(bulkEditModels)
