import { gateParts } from './gate-parts.ts'
import { tagsModels } from './tags.model.ts'

gateParts(tagsModels)
