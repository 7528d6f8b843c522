import { limits } from '@jiaowu/api'
import type { Endpoint } from '@jiaowu/api'
import { Invalid, Refusal } from '../refusal.ts'

const tooLarge = () => new Refusal(413, { key: 'problem.tooLarge' })
const badType = () => new Refusal(415, { key: 'problem.unsupportedType' })
const formBytes = 65_536
const multipartBytes = limits.attachmentBytes + limits.jsonBytes
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** The bytes of a body, counted while they arrive: Content-Length may lie. @throws Refusal 413 */
const readCapped = async (request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge()
  const parts: Uint8Array[] = []
  let total = 0
  if (request.body !== null) {
    for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
      total += part.byteLength
      if (total > most) throw tooLarge()
      parts.push(part)
    }
  }
  const whole = new Uint8Array(total)
  let at = 0
  for (const part of parts) { whole.set(part, at); at += part.byteLength }
  return whole
}

/** Depth and keys of parsed JSON (contract §2, security I10). @throws Invalid */
export const assertPlain = (value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null) return
  if (depth >= limits.jsonDepth) throw new Invalid([{ path: '', rule: 'depth', message: { key: 'rule.value' } }])
  for (const [key, inner] of Object.entries(value)) {
    if (unsafeKeys.has(key)) throw new Invalid([{ path: key, rule: 'unknownField', message: { key: 'rule.unknownField' } }])
    assertPlain(inner, depth + 1)
  }
}

const readJson = async (request: Request): Promise<unknown> => {
  const bytes = await readCapped(request, limits.jsonBytes)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    throw new Refusal(400, { key: 'problem.invalid' })
  }
}

/** One value a name; a name twice is refused (security I12). @throws Invalid */
export const singles = <T>(pairs: Iterable<[string, T]>): Record<string, T> => {
  const found = new Map<string, T>()
  for (const [name, value] of pairs) {
    if (found.has(name) || unsafeKeys.has(name)) throw new Invalid([{ path: name, rule: 'duplicate', message: { key: 'rule.value' } }])
    found.set(name, value)
  }
  return Object.fromEntries(found)
}

const readForm = async (request: Request): Promise<Record<string, unknown>> => singles(new URLSearchParams(new TextDecoder().decode(await readCapped(request, formBytes))))
const readMultipart = async (request: Request, type: string): Promise<Record<string, unknown>> => {
  const bytes = await readCapped(request, multipartBytes)
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => { throw new Refusal(400, { key: 'problem.invalid' }) })
  return singles(form)
}

/** The body as the endpoint wants it, not yet parsed by its schema. JSON is accepted where a form is due, never the other way round. */
export const readBody = async ({ bodyKind, body }: Endpoint, request: Request): Promise<unknown> => {
  if (body === undefined) return undefined
  const type = (request.headers.get('content-type') ?? '').toLowerCase()
  const isJson = type.startsWith('application/json')
  if (bodyKind === 'json' ? !isJson : bodyKind === 'multipart' && !type.startsWith('multipart/form-data')) throw badType()
  if (isJson) {
    const value = await readJson(request)
    assertPlain(value)
    return value
  }
  if (type.startsWith('multipart/form-data')) return readMultipart(request, request.headers.get('content-type') ?? '')
  if (type.startsWith('application/x-www-form-urlencoded')) return readForm(request)
  throw badType()
}
