import type { machines } from '@jiaowu/machines/table'
import type { EventFromLogic } from 'xstate'
import type { MachineName } from '../../../machines/registry.ts'
import { adoptTables } from './adopt-tables.ts'
import { bulkEdit } from './bulk-edit.ts'
import { buttons } from './buttons.ts'
import { countdown } from './countdown.ts'
import { designer } from './designer.ts'
import { download } from './download.ts'
import { entityForm } from './entity-form.ts'
import { entityList } from './entity-list.ts'
import { entrySheet } from './entry-sheet.ts'
import { gridEdit } from './grid-edit.ts'
import { lookup } from './lookup.ts'
import type { MachineWords, Words } from './machine-words.ts'
import { notices } from './notices.ts'
import { printPreview } from './print-preview.ts'
import { register } from './register.ts'
import { resource } from './resource.ts'
import { reveal } from './reveal.ts'
import { session } from './session.ts'
import { signIn } from './sign-in.ts'
import { smsCode } from './sms-code.ts'
import { tags } from './tags.ts'
import { todoList } from './todo-list.ts'
import { transfer } from './transfer.ts'
import { views } from './views.ts'

type EventType<Name extends MachineName> = EventFromLogic<(typeof machines)[Name]>['type']
type Complete = {
  readonly [Name in MachineName]: MachineWords & {
    readonly events: Readonly<Record<EventType<Name>, Words>>
  }
}

/** The sentences of every machine for people; a machine or an event without one does not compile. */
const complete: Complete = {
  session,
  entityList,
  entityForm,
  buttons,
  gridEdit,
  entrySheet,
  bulkEdit,
  lookup,
  tags,
  todoList,
  countdown,
  smsCode,
  signIn,
  register,
  resource,
  reveal,
  notices,
  download,
  printPreview,
  designer,
  views,
  transfer,
  adoptTables,
}

export const words: Readonly<Record<MachineName, MachineWords>> = complete
