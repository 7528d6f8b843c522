// @vitest-environment happy-dom
import { walkSurface } from './walk.ts'

await walkSurface('web')
