import { type Message, messageText } from '@jiaowu/api/texts/index'
import { emitEffect } from '@jiaowu/path-tests'
import { findAll, findElement, readText } from './dom.ts'

/**
 * Reports each value written under a key of a storage, and null when it is removed. happy-dom resolves the storage's
 * methods once, so they cannot be patched: a wrapper replaces the whole object until `stop`.
 */
export function watchStorage(
  watched: string,
  onChange: (value: string | null) => void,
  name: 'sessionStorage' | 'localStorage' = 'sessionStorage',
): { stop(): void } {
  const real = globalThis[name]
  const replace = (value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const wrapper: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> = {
    getItem: (key) => real.getItem(key),
    clear: () => real.clear(),
    setItem: (key, value) => {
      if (key === watched) onChange(value)
      real.setItem(key, value)
    },
    removeItem: (key) => {
      if (key === watched) onChange(null)
      real.removeItem(key)
    },
  }
  replace(wrapper)
  return { stop: () => replace(real) }
}

/** Returns the toasts shown since the last call. */
export function newToasts(): () => HTMLElement[] {
  const seen = new WeakSet<HTMLElement>()
  return () => findAll('.bp6-toast').filter((toast) => !seen.has(toast) && seen.add(toast))
}

const tones = ['success', 'warning', 'danger'] as const
interface KnownToast {
  readonly message: Message
  readonly tone: (typeof tones)[number]
  readonly lasting?: true
}

export function toastText(toast: HTMLElement): string {
  return readText(findElement('.bp6-toast-message', undefined, toast))
}

/**
 * Returns the toasts shown since the last call, as the effects that the machine emitted for them: a
 * known sentence becomes its key. Toasts of failures stay until the user closes them (`lasting`).
 */
function reportedToasts(known: readonly KnownToast[] = []): () => string[] {
  const fresh = newToasts()
  return () =>
    fresh().map((toast) => {
      const text = toastText(toast)
      const tone = tones.find((each) => toast.classList.contains(`bp6-intent-${each}`)) ?? 'other'
      const found = known.find(
        (each) => each.tone === tone && messageText('zh-CN', each.message) === text,
      )
      return emitEffect({
        type: 'toast',
        tone,
        message: found?.message ?? text,
        lasting: tone === 'danger' || found?.lasting === true,
      })
    })
}

/** The event of the machine that a toast stands for; null when it stands for none. */
type ToastEvent = (toast: HTMLElement) => object | null
/** Toasts as the machine's events `toast`, by these sentences, or as other events; null: they are not compared. */
export type Toasts = readonly KnownToast[] | ToastEvent | null

/** The effects of a page besides its calls: those that its host adds, and toasts. */
export interface EffectLog {
  /** An event that the machine emitted. */
  add(event: object): void
  /** Any other effect, as the harness names it. */
  addRaw(effect: string): void
  take(): string[]
}

export function effectLog(known: Toasts = []): EffectLog {
  let added: string[] = []
  const toasts =
    known === null
      ? () => []
      : typeof known === 'function'
        ? eventsOfToasts(known)
        : reportedToasts(known)
  return {
    add: (event) => added.push(emitEffect(event as { type: string })),
    addRaw: (effect) => added.push(effect),
    take: () => {
      const taken = [...added, ...toasts()]
      added = []
      return taken
    },
  }
}

function eventsOfToasts(eventOf: ToastEvent): () => string[] {
  const fresh = newToasts()
  return () =>
    fresh().flatMap((toast) => {
      const event = eventOf(toast)
      return event === null ? [] : [emitEffect(event as { type: string })]
    })
}

/** Closes the toasts that are shown, hundreds of which would slow every step; false when there are none. */
export function dismissToasts(): boolean {
  const buttons = findAll('.bp6-toast button')
  for (const close of buttons) close.click()
  return buttons.length > 0
}
