import { gateParts } from './gate-parts.ts'
import { entityListModels } from './entity-list.model.ts'

gateParts(entityListModels)
