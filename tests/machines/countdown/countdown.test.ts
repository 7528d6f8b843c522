import { gateParts } from '../gate-parts.ts'
import { countdownModels } from './model.ts'

gateParts(countdownModels)
