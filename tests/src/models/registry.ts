import type { machines } from '@jiaowu/machines'
import { countdownModels } from './countdown.model.ts'
import { entityFormModels } from './entity-form.model.ts'
import { entityListModels } from './entity-list.model.ts'
import { lookupModels } from './lookup.model.ts'
import type { MachineModel } from './machine-model.ts'
import { sessionModels } from './session.model.ts'
import { tagsModels } from './tags.model.ts'

export type MachineName = keyof typeof machines

/** The model of every machine of the product. A machine added to `packages/machines` without a line here does not compile. */
export const models: Readonly<Record<MachineName, MachineModel>> = {
  session: sessionModels, entityList: entityListModels, entityForm: entityFormModels, lookup: lookupModels, tags: tagsModels, countdown: countdownModels,
}
