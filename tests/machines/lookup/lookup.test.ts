import { gateParts } from '../gate-parts.ts'
import { lookupModels } from './model.ts'

gateParts(lookupModels)
