import { gateParts } from '../gate-parts.ts'
import { entryModels } from './model.ts'

gateParts(entryModels)
