// Effects of writing rows, in their order (docs/decisions/0022-one-write-path.md). A new effect is
// a row here; every kind of write gets it.
import { assertUnlocked } from '../entry/locks.ts'
import { lockStored, readStored } from './effects/stored-rows.ts'
import {
  assertAdministrators,
  assertOwnRoles,
  assertOnePerson,
  assertRights,
  askFreshProof,
  endSessionsOfPassword,
} from './accounts.ts'
import { checkChoices, deriveValues, saveCustom } from './effects/values.ts'
import {
  assertNoReferences,
  assertPlaceInTree,
  assertTreeAfter,
  dropItsRights,
} from './effects/neighbours.ts'
import {
  appendAudit,
  assertKeptAtCommit,
  assertScope,
  dropFiles,
  raiseTableVersion,
  writeHistory,
} from './effects/traces.ts'
import { noteHooks } from './effects/hooks.ts'
import { guardSettings } from './guard-settings.ts'
import { guardFlow, keepCases } from '../flow/guard.ts'
import { askProofOfStaff } from '../flow/ask-proof.ts'
import { guardOwned } from '../flow/owners.ts'
import { setSchoolClock } from './school-clock.ts'
import { addNumbers } from './values/serial.ts'
import { type WriteEffect, type WriteKind, writeKinds } from './writer.ts'

const valued = ['create', 'update', 'move'] as const satisfies readonly WriteKind[]
const changed = ['update', 'move'] as const satisfies readonly WriteKind[]
const stored = [
  'update',
  'move',
  'delete',
  'restore',
  'purge',
] as const satisfies readonly WriteKind[]

export const writeEffects = [
  { name: 'schoolClock', before: { kinds: writeKinds, run: setSchoolClock } },
  { name: 'rowLock', before: { kinds: stored, run: lockStored } },
  {
    name: 'flow',
    before: { kinds: [...valued, 'delete'], run: guardFlow },
    after: { kinds: ['create', 'purge'], run: keepCases },
  },
  { name: 'ownedColumns', before: { kinds: valued, run: guardOwned } },
  { name: 'derived', before: { kinds: valued, run: deriveValues } },
  {
    name: 'entryLock',
    before: { kinds: [...valued, 'delete', 'restore'], run: assertUnlocked },
  },
  { name: 'choices', before: { kinds: valued, run: checkChoices } },
  {
    name: 'tree',
    before: { kinds: [...changed, 'delete'], run: assertPlaceInTree },
    after: { kinds: ['create', 'restore'], run: assertTreeAfter },
  },
  { name: 'references', before: { kinds: ['delete', 'purge'], run: assertNoReferences } },
  { name: 'storedValues', before: { kinds: changed, run: readStored } },
  {
    name: 'accounts',
    before: { kinds: [...changed, 'delete', 'purge'], run: assertRights },
    after: { kinds: [...valued, 'restore'], run: assertRights },
  },
  { name: 'serialNumber', before: { kinds: ['create'], run: addNumbers } },
  { name: 'rights', before: { kinds: ['purge'], run: dropItsRights } },
  {
    name: 'customValues',
    after: { kinds: [...valued, 'delete', 'purge'], run: saveCustom },
  },
  { name: 'files', after: { kinds: ['create', 'purge'], run: dropFiles } },
  { name: 'persons', after: { kinds: [...valued, 'restore'], run: assertOnePerson } },
  { name: 'settings', after: { kinds: [...valued, 'restore'], run: guardSettings } },
  { name: 'freshProof', after: { kinds: valued, run: askFreshProof } },
  { name: 'passwords', after: { kinds: valued, run: endSessionsOfPassword } },
  { name: 'administrators', after: { kinds: [...changed, 'delete'], run: assertAdministrators } },
  { name: 'flowProofs', after: { kinds: writeKinds, run: askProofOfStaff } },
  { name: 'ownRoles', before: { kinds: changed, run: assertOwnRoles } },
  { name: 'scope', after: { kinds: valued, run: assertScope } },
  { name: 'history', after: { kinds: writeKinds, run: writeHistory } },
  { name: 'hooks', after: { kinds: writeKinds, run: noteHooks } },
  { name: 'audit', after: { kinds: writeKinds, run: appendAudit } },
  { name: 'tableVersion', after: { kinds: writeKinds, run: raiseTableVersion } },
  { name: 'kept', after: { kinds: valued, run: assertKeptAtCommit } },
] satisfies readonly WriteEffect[]
