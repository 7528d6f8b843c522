import { gateParts } from '../gate-parts.ts'
import { registerModels } from './model.ts'

gateParts(registerModels)
