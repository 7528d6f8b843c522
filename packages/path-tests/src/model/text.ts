import type { AnyActorRef } from 'xstate'

const names = new WeakMap<object, string>()

/** The stable name of a child actor: its id, or its source and a number where xstate made the id. */
export function childName(ref: { readonly id: string }): string {
  return names.get(ref) ?? ref.id
}

/**
 * Names a new child. Ids that xstate makes are replaced by the source's name: those of spawned
 * children (`x:12`) differ between runs, those of invokes (`0.shop.paying`) say little.
 */
export function nameChild(ref: AnyActorRef, taken: ReadonlySet<string>): string {
  const source = sourceName((ref as { src?: unknown }).src)
  const isMade = /^x:\d+$/.test(ref.id) || (/^\d+\./.test(ref.id) && source !== 'inline')
  let name = isMade ? source : ref.id
  if (isMade) for (let number = 2; taken.has(name); number += 1) name = `${source}#${number}`
  names.set(ref, name)
  return name
}

/** The name of an actor's source as `setup` declares it, `inline` for logic without a name. */
export function sourceName(source: unknown): string {
  return typeof source === 'string' && !source.startsWith('xstate.invoke.') ? source : 'inline'
}

/**
 * A value as JSON. What JSON has no form for, or what differs between runs, is written by its
 * stable part: actors by name, functions by name, errors by message, maps and sets as lists. Object
 * keys keep their order.
 */
export function stableText(value: unknown): string {
  // With a replacer, `JSON.stringify` takes several times as long.
  if (isJson(value, deepest)) return JSON.stringify(value) ?? ''
  const above: object[] = []
  return (
    JSON.stringify(value, function (this: unknown, key: string, shown: unknown): unknown {
      const raw = key === '' ? shown : (this as Record<string, unknown>)[key]
      while (above.length > 0 && above.at(-1) !== this) above.pop()
      const form = toStableForm(raw)
      if (typeof form !== 'object' || form === null) return form
      if (above.includes(form)) return '(circular)'
      above.push(form)
      return form
    }) ?? ''
  )
}

/** Deeper values may be circular. */
const deepest = 30

/** Whether a value has only parts that JSON has a form for, or leaves out. */
function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || (depth > 0 && isJsonObject(value, depth - 1))
    default:
      return false
  }
}

function isJsonObject(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Array.prototype) {
    for (const part of value as readonly unknown[]) if (!isJson(part, depth)) return false
    return true
  }
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value)
    if (!isJson((value as Readonly<Record<string, unknown>>)[key], depth)) return false
  return true
}

function toStableForm(value: unknown): unknown {
  switch (typeof value) {
    case 'function':
      return `(function ${value.name})`
    case 'bigint':
    case 'symbol':
      return String(value)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'object':
      return value === null ? null : objectForm(value)
    default:
      return value
  }
}

function objectForm(value: object): unknown {
  if (isActor(value)) return `(actor ${childName(value)})`
  if (value instanceof Error) return `(${value.name}: ${value.message})`
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '(no date)' : value.toISOString()
  if (value instanceof Map) return { map: [...value] }
  if (value instanceof Set) return { set: [...value] }
  if (value instanceof RegExp || value instanceof Promise) return String(value)
  if (value instanceof WeakMap || value instanceof WeakSet) return '(weak)'
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value) as unknown) : value
}

function isActor(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value
}
