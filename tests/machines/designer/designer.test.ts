import { designerModels } from './model.ts'
import { gateParts } from '../gate-parts.ts'

gateParts(designerModels)
