import { gateParts } from '../gate-parts.ts'
import { smsCodeModels } from './model.ts'

gateParts(smsCodeModels)
