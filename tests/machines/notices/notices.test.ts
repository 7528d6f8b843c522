import { gateParts } from '../gate-parts.ts'
import { noticesModels } from './model.ts'

gateParts(noticesModels)
