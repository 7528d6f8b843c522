import { gateParts } from '../gate-parts.ts'
import { signInModels } from './model.ts'

gateParts(signInModels)
