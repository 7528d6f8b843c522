// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { gridEditWeb } from './web.tsx'

gateWeb(gridEditWeb)
