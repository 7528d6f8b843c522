import { designerModels } from './designer.model.ts'
import { gateParts } from './gate-parts.ts'

gateParts(designerModels)
