import type { AnyStateMachine } from 'xstate'
import { countdownMachine } from './countdown/countdown.machine.ts'
import { entityFormMachine } from './entity-form/entity-form.machine.ts'
import { entityListMachine } from './entity-list/entity-list.machine.ts'
import { lookupMachine } from './lookup/lookup.machine.ts'
import { sessionMachine } from './session/session.machine.ts'
import { tagsMachine } from './tags/tags.machine.ts'

export { type CountdownInput, countdownMachine } from './countdown/countdown.machine.ts'
export { type EntityFormContext, type EntityFormEmitted, type EntityFormEvent, type EntityFormInput, entityFormMachine, type Side } from './entity-form/entity-form.machine.ts'
export { entityFormActors, type EntityFormPorts, type FormData, type SaveInput } from './entity-form/entity-form.ports.ts'
export { type EntityFormView, entityFormView, type FormFieldView, type FormGroupView, type StaleFieldView } from './entity-form/entity-form.view.ts'
export type { FormPerson } from './entity-form/values.ts'
export { type EntityListContext, type EntityListEmitted, type EntityListEvent, type EntityListInput, entityListMachine } from './entity-list/entity-list.machine.ts'
export { type ButtonPress, entityListActors, type EntityListPorts, type ExportRequest } from './entity-list/entity-list.ports.ts'
export { type EntityListView, entityListView } from './entity-list/entity-list.view.ts'
export { type Preset, presetOf } from './entity-list/query.ts'
export { type LookupEvent, type LookupInput, lookupMachine } from './lookup/lookup.machine.ts'
export { findLocally, lookupActors, type LookupPorts, type LookupQuestion } from './lookup/lookup.ports.ts'
export { type LookupView, lookupView } from './lookup/lookup.view.ts'
export { actorsOf, type ActorsOf, type Port, unprovided } from './port.ts'
export { createSessionGate } from './session/session-gate.ts'
export { type SessionContext, type SessionEmitted, type SessionEvent, sessionMachine } from './session/session.machine.ts'
export { type Issued, type Profile, sessionActors, type SessionFacts, type SessionPorts, type SignInInput } from './session/session.ports.ts'
export { type SessionView, sessionView } from './session/session.view.ts'
export { type Tag, type TagsEmitted, type TagsEvent, type TagsFacts, type TagsInput, tagsMachine } from './tags/tags.machine.ts'
export { type TagsView, tagsView, type TagView } from './tags/tags.view.ts'

/** Every machine of the product, by name: the tests ask for a model of each. */
export const machines = {
  session: sessionMachine, entityList: entityListMachine, entityForm: entityFormMachine, lookup: lookupMachine, tags: tagsMachine, countdown: countdownMachine,
} as const satisfies Record<string, AnyStateMachine>
