import { gateParts } from './gate-parts.ts'
import { sessionModels } from './session.model.ts'

gateParts(sessionModels)
