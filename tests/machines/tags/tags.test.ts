import { gateParts } from '../gate-parts.ts'
import { tagsModels } from './model.ts'

gateParts(tagsModels)
