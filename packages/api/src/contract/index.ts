import type { Contract } from '../endpoint.ts'
import { attachment } from './attachment.ts'
import { dictionary } from './dictionary.ts'
import { entityData } from './entity-data.ts'
import { session } from './session.ts'

export type { AttachmentInfo } from './attachment.ts'
export { type ExportFormat, exportFormats, type LookupAnswer } from './entity-data.ts'
export type { MenuNode, Tokens, UserInfo } from './session.ts'

/** Every call of the product. Client, server handlers and `/api/openapi.json` come from this one object. Paths stand below `/api`. */
export const contract = { session, entityData, dictionary, attachment } as const satisfies Contract
