import { gateParts } from './gate-parts.ts'
import { countdownModels } from './countdown.model.ts'

gateParts(countdownModels)
