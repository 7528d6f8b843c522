import { gateParts } from '../gate-parts.ts'
import { resourceModels } from './model.ts'

gateParts(resourceModels)
