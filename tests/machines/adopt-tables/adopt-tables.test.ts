import { gateParts } from '../gate-parts.ts'
import { adoptTablesModels } from './model.ts'

gateParts(adoptTablesModels)
