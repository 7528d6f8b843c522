import { gateParts } from './gate-parts.ts'
import { sessionModel } from './session.model.ts'
import { sessionRules } from './session.rules.ts'

gateParts({ session: sessionModel }, { rules: sessionRules })
