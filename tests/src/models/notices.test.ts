import { gateParts } from './gate-parts.ts'
import { noticesModels } from './notices.model.ts'

gateParts(noticesModels)
