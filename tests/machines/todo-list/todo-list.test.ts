import { gateParts } from '../gate-parts.ts'
import { todoListModels } from './model.ts'

gateParts(todoListModels)
