import { gateParts } from './gate-parts.ts'
import { viewsModels } from './views.model.ts'

gateParts(viewsModels)
