import { emitEffect } from '../../model/index.ts'
import { all } from './dom.ts'

const listening = new Map<string, (value: unknown) => void>()
const put = (value: unknown) => Object.defineProperty(globalThis, 'sessionStorage', { value, configurable: true, writable: true })
/** A storage that tells. The emulated one keeps the methods it found first, so another stands before it while somebody listens. */
const telling = (real: Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> => ({
  getItem: (name) => real.getItem(name), clear: () => real.clear(),
  setItem: (name, value) => { listening.get(name)?.(JSON.parse(value)); real.setItem(name, value) },
  removeItem: (name) => { listening.get(name)?.(null); real.removeItem(name) },
})
/** Tells what is written under a key of the tab's storage, and null when it is taken away. */
export const watchStorage = (key: string, tell: (value: unknown) => void): { stop(): void } => {
  const real = sessionStorage
  put(telling(real))
  listening.set(key, tell)
  return { stop: () => { listening.delete(key); put(real) } }
}

/** The failures said since the last time, as the machine said them. */
export const toastsTold = (): (() => string[]) => {
  const seen = new WeakSet<HTMLElement>()
  return () => all('.bp6-toast').filter((toast) => !seen.has(toast)).map((toast) => {
    seen.add(toast)
    return emitEffect({ type: 'toast', tone: toast.classList.contains('bp6-intent-danger') ? 'danger' : 'other', message: toast.querySelector('.bp6-toast-message')?.textContent ?? '', lasting: true })
  })
}
