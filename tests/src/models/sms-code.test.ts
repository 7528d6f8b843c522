import { gateParts } from './gate-parts.ts'
import { smsCodeModels } from './sms-code.model.ts'

gateParts(smsCodeModels)
