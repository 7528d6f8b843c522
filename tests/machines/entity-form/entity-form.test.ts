import { gateParts } from '../gate-parts.ts'
import { entityFormModels } from './model.ts'

gateParts(entityFormModels)
