import { walkSurface } from './walk.ts'

await walkSurface('bare')
