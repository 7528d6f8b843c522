import { downloadModels } from './model.ts'
import { gateParts } from '../gate-parts.ts'

gateParts(downloadModels)
