import { gateParts } from './gate-parts.ts'
import { lookupModels } from './lookup.model.ts'

gateParts(lookupModels)
