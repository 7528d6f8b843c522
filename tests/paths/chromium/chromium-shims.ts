// Browser replacements for the node modules that the web drivers use. Loaded first.
const turns = new Map<number, () => void>()
let last = 0
const { port1, port2 } = new MessageChannel()
port1.onmessage = ({ data }: MessageEvent<number>) => {
  const call = turns.get(data)
  turns.delete(data)
  call?.()
}
Object.assign(globalThis, {
  setImmediate: queueCall,
  clearImmediate: (id: number) => turns.delete(id),
})

/** `node:timers/promises`. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => {
    queueCall(() => resolve())
  })
}

function queueCall(call: (...args: unknown[]) => void, ...args: unknown[]): number {
  last += 1
  turns.set(last, () => call(...args))
  port2.postMessage(last)
  return last
}
