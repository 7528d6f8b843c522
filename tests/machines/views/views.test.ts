import { gateParts } from '../gate-parts.ts'
import { viewsModels } from './model.ts'

gateParts(viewsModels)
