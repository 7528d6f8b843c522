import type { Context, ServerHandlers } from '../../model/context.ts'
import { addToEntry } from '../entry/add.ts'
import { listOpenEntries } from '../entry/open-sheets.ts'
import { readEntry, submitEntry, unlockEntry } from '../entry/sheet.ts'

const loadEntryEntity = ({ registry, subject }: Context, tag: string) =>
  registry.get(subject.tenant, tag)

export const entryHandlers: ServerHandlers['entry'] = {
  read: async ({ params, body: { by } }, context) =>
    await readEntry(context, await loadEntryEntity(context, params.tag), by),
  open: async ({ params }, context) =>
    await listOpenEntries(context, await loadEntryEntity(context, params.tag)),
  submit: async ({ params, body: { by, entered } }, context) =>
    await submitEntry(context, await loadEntryEntity(context, params.tag), by, entered),
  add: async ({ params, body: { by, from } }, context) =>
    await addToEntry(context, await loadEntryEntity(context, params.tag), by, from),
  unlock: async ({ params, body: { by, reason } }, context) =>
    await unlockEntry(context, await loadEntryEntity(context, params.tag), by, reason),
}
