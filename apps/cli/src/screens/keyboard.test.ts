import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { describe, expect, it } from 'vitest'
import { openKeyboard, keysIn } from './keyboard.ts'

describe('the keyboard', () => {
  it('splits one read into keys and keeps pasted text together', () => {
    expect(keysIn('ab\u001b[B\r')).toEqual(['a', 'b', '\u001b[B', '\r'])
    expect(keysIn('\u001bOA\u001b[1;5C\u001b')).toEqual(['\u001bOA', '\u001b[1;5C', '\u001b'])
    expect(keysIn('王五\u0013')).toEqual(['王', '五', '\u0013'])
    expect(keysIn('/home/a/students.xlsx')).toEqual(['/home/a/students.xlsx'])
  })
  it('delivers one key per turn of the event loop, and releases the terminal on close', async () => {
    const source = Object.assign(new PassThrough(), {
      setRawMode: () => {},
      ref: () => {},
      unref: () => {},
    })
    const { stdin, close } = openKeyboard(source as unknown as ReadStream)
    const received: string[] = []
    stdin.on('readable', () => {
      const all = stdin.read() as string | null
      if (all !== null) received.push(all)
    })
    source.write('a\u001b[Bb')
    for (let turn = 0; turn < 8; turn += 1)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    expect(received).toEqual(['a', '\u001b[B', 'b'])
    close()
    expect([source.listenerCount('data'), source.isPaused()]).toEqual([0, true])
  })
  it('keeps keys for the next screen while it is asked to, and lets the waiting screen have its own', async () => {
    const source = Object.assign(new PassThrough(), { setRawMode: () => {} })
    const { stdin, hold, close } = openKeyboard(source as unknown as ReadStream)
    const received: string[] = []
    stdin.on('readable', () => {
      const all = stdin.read() as string | null
      if (all !== null) received.push(all)
    })
    const release = hold((key) => key === 'x')
    source.write('axb')
    await turns()
    expect(received).toEqual(['x'])
    release()
    source.write('c')
    await turns()
    expect(received).toEqual(['x', 'a', 'b', 'c'])
    hold(() => false)
    source.write('d')
    close()
    await turns()
    expect(received).toEqual(['x', 'a', 'b', 'c'])
  })
})

async function turns(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}
