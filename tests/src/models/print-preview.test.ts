import { gateParts } from './gate-parts.ts'
import { printPreviewModels } from './print-preview.model.ts'

gateParts(printPreviewModels)
