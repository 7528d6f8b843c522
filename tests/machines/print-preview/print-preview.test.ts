import { gateParts } from '../gate-parts.ts'
import { printPreviewModels } from './model.ts'

gateParts(printPreviewModels)
