import { gateParts } from '../gate-parts.ts'
import { entityListModels } from './model.ts'

gateParts(entityListModels)
