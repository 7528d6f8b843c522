import { downloadModels } from './download.model.ts'
import { gateParts } from './gate-parts.ts'

gateParts(downloadModels)
