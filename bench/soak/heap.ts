import type { CDPSession } from 'playwright-core'

export interface HeapSize {
  /** Bytes of JavaScript in use after garbage collection. */
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

/** Measures the heap that is in use after everything that can be collected is gone. */
export async function sizeAfterCollection(session: CDPSession): Promise<HeapSize> {
  // Finalizers of the first turn release what the next ones collect.
  for (let times = 0; times < 3; times += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heap: usedSize, nodes, listeners: jsEventListeners }
}

/** Number and bytes of the objects of each class. */
export type Census = ReadonlyMap<string, { readonly count: number; readonly bytes: number }>

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[]]
    }
  }
  readonly nodes: readonly number[]
  readonly strings: readonly string[]
}

/** Counts the objects of a heap snapshot (DevTools' format); code and hidden objects by their type only. */
export async function census(session: CDPSession): Promise<Census> {
  return countIn(JSON.parse(await snapshotText(session)) as Snapshot)
}

/** A heap snapshot as DevTools opens it. */
export async function snapshotText(session: CDPSession): Promise<string> {
  const parts: string[] = []
  const take = ({ chunk }: { readonly chunk: string }) => parts.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', take)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', take)
  return parts.join('')
}

function countIn({ snapshot, nodes, strings }: Snapshot): Census {
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field))
  const found = new Map<string, { count: number; bytes: number }>()
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + (type ?? 0)] ?? 0] ?? ''
    const isNamed = kind === 'object' || kind === 'native' || kind === 'closure'
    const label = isNamed
      ? `${kind} ${(strings[nodes[at + (name ?? 0)] ?? 0] ?? '').slice(0, 60)}`
      : kind
    const entry = found.get(label) ?? { count: 0, bytes: 0 }
    entry.count += 1
    entry.bytes += nodes[at + (size ?? 0)] ?? 0
    found.set(label, entry)
  }
  return found
}

/** The classes with the most additional bytes. */
export function growth(before: Census, after: Census, top = 25): readonly string[] {
  return [...after]
    .map(([label, { count, bytes }]) => ({
      label,
      more: count - (before.get(label)?.count ?? 0),
      bytes: bytes - (before.get(label)?.bytes ?? 0),
    }))
    .filter(({ more, bytes }) => more > 0 || bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, top)
    .map(({ label, more, bytes }) => `${label}: ${more} more, ${(bytes / 1024).toFixed(1)} KB`)
}
