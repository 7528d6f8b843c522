import { gateParts } from '../gate-parts.ts'
import { gridEditModels } from './model.ts'

gateParts(gridEditModels)
