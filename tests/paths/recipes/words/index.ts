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
import type { MachineWords } from './machine-words.ts'
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

/** The sentences of every machine for people; a machine without a line does not compile. */
export const words: Readonly<Record<MachineName, MachineWords>> = {
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
