import { gateParts } from '../gate-parts.ts'
import { buttonsModels } from './model.ts'

gateParts(buttonsModels)
