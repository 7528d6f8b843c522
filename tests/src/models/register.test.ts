import { gateParts } from './gate-parts.ts'
import { registerModels } from './register.model.ts'

gateParts(registerModels)
