import { join } from 'node:path'
import type { Settings } from '../settings.ts'

/** Uploaded sheets are kept as attachments are, in a folder of their own: they belong to a job, not to a row. */
export const transferSettings = (settings: Settings): Settings => ({ ...settings, dataDir: join(settings.dataDir, 'transfers') })
