import { expect, test } from 'vitest'
import { createUploads, type Upload } from './uploads.ts'

const createUpload = (name: string) => new File(['12345'], name)
function startUploads() {
  const state = { uploads: [] as readonly Upload[], saved: [] as string[], stopped: [] as string[] }
  const calls = new Map<
    string,
    { resolve: () => void; reject: (error: Error) => void; sent: (bytes: number) => void }
  >()
  const uploads = createUploads({
    send: ({ name }, sent, signal) =>
      new Promise<void>((resolve, reject) => {
        calls.set(name, { resolve, reject, sent })
        signal.addEventListener('abort', () => {
          state.stopped.push(name)
          reject(new Error('stopped'))
        })
      }),
    refuse: ({ name }) => (name === 'big' ? 'too big' : null),
    explain: (error) => (error as Error).message,
    onChange: (next) => {
      state.uploads = next
    },
    onSaved: ({ name }) => {
      state.saved.push(name)
    },
  })
  const seen = () =>
    state.uploads.map((each) => `${each.file.name}:${each.state}:${each.sent}:${each.fault ?? ''}`)
  return {
    uploads,
    state,
    calls,
    seen,
    settled: () =>
      new Promise((resolve) => {
        setImmediate(resolve)
      }),
  }
}

test('two at a time, the rest wait their turn, and what is saved leaves the list', async () => {
  const { uploads, state, calls, seen, settled } = startUploads()
  uploads.add([createUpload('a'), createUpload('b'), createUpload('c')])
  expect(seen()).toEqual(['a:sending:0:', 'b:sending:0:', 'c:waiting:0:'])
  calls.get('a')?.sent(3)
  expect(seen()[0]).toBe('a:sending:3:')
  calls.get('a')?.resolve()
  await settled()
  expect(seen()).toEqual(['b:sending:0:', 'c:sending:0:'])
  expect(state.saved).toEqual(['a'])
})

test('a refused file says why, does not hold up the others, and is sent again when asked', async () => {
  const { uploads, calls, seen, settled } = startUploads()
  uploads.add([createUpload('big'), createUpload('a'), createUpload('b')])
  expect(seen()).toEqual(['big:refused:0:too big', 'a:sending:0:', 'b:sending:0:'])
  calls.get('a')?.sent(4)
  calls.get('a')?.reject(new Error('quota'))
  await settled()
  expect(seen()).toEqual(['big:refused:0:too big', 'a:refused:4:quota', 'b:sending:0:'])
  uploads.retry(2)
  expect(seen()[1]).toBe('a:sending:0:')
})

test('a file taken from the list is broken off and makes room', async () => {
  const { uploads, state, seen, settled } = startUploads()
  uploads.add([createUpload('a'), createUpload('b'), createUpload('c')])
  uploads.remove(1)
  await settled()
  expect(state.stopped).toEqual(['a'])
  expect(seen()).toEqual(['b:sending:0:', 'c:sending:0:'])
  uploads.stop()
  await settled()
  expect(state.stopped).toEqual(['a', 'b', 'c'])
})
