import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { EntryPorts } from './ports.ts'

/** The ports of all surfaces. */
export function entryApiPorts({ entry }: Pick<Client<typeof contract>, 'entry'>): EntryPorts {
  return {
    readEntry: ({ tag, by }, signal) =>
      entry.read({ params: { tag }, body: { by: { ...by } }, signal }),
    submitEntry: ({ tag, by, entered }, signal) =>
      entry.submit({ params: { tag }, body: { by: { ...by }, entered }, signal }),
    unlockEntry: ({ tag, by, reason }, signal) =>
      entry.unlock({ params: { tag }, body: { by: { ...by }, reason }, signal }),
    addRows: ({ tag, by, from }, signal) =>
      entry.add({ params: { tag }, body: { by: { ...by }, from: { ...from } }, signal }),
  }
}
