import { gateParts } from './gate-parts.ts'
import { signInModels } from './sign-in.model.ts'

gateParts(signInModels)
