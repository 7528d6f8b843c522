import { gateParts } from './gate-parts.ts'
import { entityFormModels } from './entity-form.model.ts'

gateParts(entityFormModels)
