import { gateParts } from '../gate-parts.ts'
import { revealModels } from './model.ts'

gateParts(revealModels)
