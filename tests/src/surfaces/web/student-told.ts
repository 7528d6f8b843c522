import { emitEffect } from '../../model/index.ts'
import { all } from './dom.ts'

const listening = new Map<string, (value: unknown) => void>()
let isPatched = false
/** Once for good: the emulated storage keeps the method it found first. */
const patch = () => {
  if (isPatched) return
  isPatched = true
  const { setItem, removeItem } = Storage.prototype
  Storage.prototype.setItem = function set(this: Storage, name: string, value: string) { listening.get(name)?.(JSON.parse(value)); setItem.call(this, name, value) }
  Storage.prototype.removeItem = function remove(this: Storage, name: string) { listening.get(name)?.(null); removeItem.call(this, name) }
}
/** Tells what is written under a key of the browser's storage, and null when it is taken away. */
export const watchStorage = (key: string, tell: (value: unknown) => void): { stop(): void } => {
  patch()
  listening.set(key, tell)
  return { stop: () => { listening.delete(key) } }
}

/** The failures said since the last time, as the machine said them. */
export const toastsTold = (): (() => string[]) => {
  const seen = new WeakSet<HTMLElement>()
  return () => all('.bp6-toast').filter((toast) => !seen.has(toast)).map((toast) => {
    seen.add(toast)
    return emitEffect({ type: 'toast', tone: toast.classList.contains('bp6-intent-danger') ? 'danger' : 'other', message: toast.querySelector('.bp6-toast-message')?.textContent ?? '', lasting: true })
  })
}
