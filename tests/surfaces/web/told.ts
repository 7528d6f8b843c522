import { type Message, say } from '@jiaowu/api'
import { emitEffect } from '@jiaowu/path-tests'
import { all, find, textOf } from './dom.ts'

/** Tells what is written under a key of the tab's storage, and null when it is taken away. The emulated one keeps the methods it found first, so another stands before it meanwhile. */
export function watchStorage(
  watched: string,
  tell: (value: string | null) => void,
): { stop(): void } {
  const real = sessionStorage
  const telling: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> = {
    getItem: (key) => real.getItem(key),
    clear: () => real.clear(),
    setItem: (key, value) => {
      if (key === watched) tell(value)
      real.setItem(key, value)
    },
    removeItem: (key) => {
      if (key === watched) tell(null)
      real.removeItem(key)
    },
  }
  put(telling)
  return { stop: () => put(real) }
}

function put(value: unknown) {
  return Object.defineProperty(globalThis, 'sessionStorage', {
    value,
    configurable: true,
    writable: true,
  })
}

/** The toasts that came since the last time. */
export function newToasts(): () => HTMLElement[] {
  const seen = new WeakSet<HTMLElement>()
  return () => all('.bp6-toast').filter((toast) => !seen.has(toast) && seen.add(toast))
}

const tones = ['success', 'warning', 'danger'] as const
export interface KnownToast {
  readonly message: Message
  readonly tone: (typeof tones)[number]
  readonly lasting?: true
}

export function toastText(toast: HTMLElement): string {
  return textOf(find('.bp6-toast-message', undefined, toast))
}

/** The toasts since the last time as the machine said them: a known sentence is traced back to its key, failures stay until they are waved away. */
export function toastsTold(known: readonly KnownToast[] = []): () => string[] {
  const come = newToasts()
  return () =>
    come().map((toast) => {
      const text = toastText(toast)
      const tone = tones.find((each) => toast.classList.contains(`bp6-intent-${each}`)) ?? 'other'
      const said = known.find((each) => each.tone === tone && say('zh-CN', each.message) === text)
      return emitEffect({
        type: 'toast',
        tone,
        message: said?.message ?? text,
        lasting: tone === 'danger' || said?.lasting === true,
      })
    })
}

/** What was read is waved away: a hundred toasts would slow every step. */
export function waveToasts(): void {
  for (const close of all('.bp6-toast button')) close.click()
}
