import { formModel } from '../../models/entity-form.model.ts'
import { mapParts } from '../parts.ts'
import { formOnTerminal, formTerminal } from './entity-form.tsx'
import { gateTerminal } from './gate-terminal.tsx'

const concerns = {
  add: formModel(['add'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  edit: formModel(['edit'], ['name', 'empty'], { saves: ['saved', 'invalid', 'ended'] }),
  stale: formModel(['edit'], ['name'], { saves: ['saved', 'stale', 'staleEmpty'] }),
} as const
gateTerminal(mapParts(concerns, (model) => formOnTerminal(model)), formTerminal)
