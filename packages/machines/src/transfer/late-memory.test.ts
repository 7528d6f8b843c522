// Options that the server remembers arrive after the person has begun: what was shown counts.
import type { Job } from '@jiaowu/api/contract/job'
import { expect, it } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { choicesNow } from './context.ts'
import type { Recalled } from './ports.ts'
import { transferMachine } from './machine.ts'

const remembered = { mode: 'update', key: 'code', onError: 'skip', empty: 'clear' } as const
const file = { name: 'a.csv', size: 10 }

function startTransfer() {
  const asked = Promise.withResolvers<Recalled>()
  const machine = transferMachine.provide({
    actors: { recall: fromPromise(() => asked.promise) },
  })
  const actor = createActor(machine, { input: { tag: 'A', kind: 'import' } as never }).start()
  const remember = async () => {
    asked.resolve({ remembered, jobs: [], total: 0 } as unknown as Recalled)
    await asked.promise
    await Promise.resolve()
  }
  return { actor, remember, choices: () => choicesNow(actor.getSnapshot().context) }
}

it('takes the remembered options when nothing has begun', async () => {
  const { remember, choices } = startTransfer()
  await remember()
  expect(choices()).toMatchObject(remembered)
})

it('keeps the options that were shown when the file was chosen', async () => {
  const { actor, remember, choices } = startTransfer()
  const before = choices()
  actor.send({ type: 'file.choose', file } as never)
  await remember()
  expect(actor.getSnapshot().context.recalled).not.toBeNull()
  expect(choices()).toEqual(before)
})

it('keeps what the person has chosen, and takes the rest', async () => {
  const { actor, remember, choices } = startTransfer()
  actor.send({ type: 'choices.change', choices: { mode: 'upsert' } } as never)
  await remember()
  expect(choices()).toMatchObject({ ...remembered, mode: 'upsert' })
})

it('begins the next file with the options of the job before', async () => {
  const { actor, remember, choices } = startTransfer()
  await remember()
  const job = { mode: 'insert', key: null, onError: 'abort', empty: 'keep', status: 'done' }
  const { context, value } = actor.getSnapshot()
  const next = createActor(transferMachine, {
    input: { tag: 'A', kind: 'import' } as never,
    snapshot: {
      ...actor.getPersistedSnapshot(),
      value: { ...(value as object), transfer: 'done' },
      context: { ...context, job: job as Job },
      children: {},
    } as never,
  }).start()
  next.send({ type: 'transfer.restart' })
  expect(choicesNow(next.getSnapshot().context)).toMatchObject({ mode: 'insert', key: null })
  expect(choices()).toMatchObject(remembered)
})
