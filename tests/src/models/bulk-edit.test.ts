import { bulkEditModels } from './bulk-edit.model.ts'
import { gateParts } from './gate-parts.ts'

gateParts(bulkEditModels)
