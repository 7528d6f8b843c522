import { limits } from '@jiaowu/api/limits'
import { parseJson } from '@jiaowu/api/exact-json'
import type { Endpoint } from '@jiaowu/api/endpoint'
import * as v from 'valibot'
import { formType, jsonType, mediaType, multipartType } from '../../platform/requests/media-type.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { readCapped } from '../../platform/requests/read-capped.ts'

const badType = () => new Refusal(415, { key: 'problem.unsupportedType' })
const createMalformed = () => new Refusal(400, { key: 'problem.invalid' })
const formBytes = 65_536
const multipartBytes = limits.attachmentBytes + limits.jsonBytes
const multipartParts = 20 // docs/rules/security.md#f10
const keysOfObject = 500 // docs/rules/security.md#c8
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** PostgreSQL cannot store NUL in text. */
const holdsNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')

/**
 * Checks depth, keys and texts of parsed JSON (docs/rules/contract.md#envelope,
 * docs/rules/security.md#c8, #i10). @throws Invalid
 */
function assertPlain(value: unknown, path = '', depth = 0): void {
  if (holdsNul(value)) throw badValue(path, 'value')
  if (typeof value !== 'object' || value === null) return
  if (depth >= limits.jsonDepth) throw badValue('', 'depth')
  const entries = Object.entries(value)
  if (!Array.isArray(value) && entries.length > keysOfObject) throw badValue(path, 'tooMany')
  for (const [key, inner] of entries) {
    if (unsafeKeys.has(key) || holdsNul(key))
      throw badValue(key.replaceAll('\0', ''), 'unknownField')
    assertPlain(inner, path === '' ? key : `${path}.${key}`, depth + 1)
  }
}

function badValue(path: string, rule: string) {
  return new Invalid([
    { path, rule, message: { key: rule === 'unknownField' ? 'rule.unknownField' : 'rule.value' } },
  ])
}

/** Name and value pairs as an object; refuses repeated names (docs/rules/security.md#i12). @throws Invalid */
export function singles<T>(pairs: Iterable<[string, T]>): Record<string, T> {
  const found = new Map<string, T>()
  for (const [name, value] of pairs) {
    if (found.has(name) || unsafeKeys.has(name)) throw badValue(name, 'duplicate')
    if (holdsNul(name) || holdsNul(value)) throw badValue(name.replaceAll('\0', ''), 'value')
    found.set(name, value)
  }
  return Object.fromEntries(found)
}

/** The body in the endpoint's format, not yet checked by its schema. A form endpoint also accepts JSON. */
export async function readBody(
  { bodyKind, body, bodyBytes }: Endpoint,
  request: Request,
): Promise<unknown> {
  if (body === undefined) return undefined
  const type = mediaType(request)
  const isJson = type === jsonType
  // An empty body is accepted where every key is optional: `POST /job/{id}/resume`.
  if (
    (bodyKind === 'json' || bodyKind === 'values') &&
    type === '' &&
    v.safeParse(body, {}).success &&
    (await readCapped(request, 0).then(() => true, falseWhenTooLarge))
  )
    return {}
  if (!acceptsType[bodyKind](type)) throw badType()
  if (isJson) {
    const value = await readJson(request, bodyBytes)
    // The schemas would accept an array as an object.
    if (Array.isArray(value)) throw badValue('', 'value')
    assertPlain(value)
    return value
  }
  if (type === multipartType) {
    const isRow = bodyKind === 'values'
    const parts = await readMultipart(request, {
      bytes: isRow ? limits.jsonBytes : multipartBytes,
      parts: isRow ? keysOfObject : multipartParts,
    })
    if (!isRow) return parts
    // Files of a row are attachments, which have calls of their own.
    const file = Object.entries(parts).find(([, value]) => typeof value !== 'string')
    if (file !== undefined) throw badValue(file[0], 'value')
    assertPlain(parts)
    return parts
  }
  const form = await readForm(request, bodyKind === 'values' ? limits.jsonBytes : formBytes)
  assertPlain(form)
  return form
}

const acceptsType: Readonly<Record<Endpoint['bodyKind'], (type: string) => boolean>> = {
  json: (type) => type === jsonType,
  form: (type) => [jsonType, formType, multipartType].includes(type),
  multipart: (type) => type === multipartType,
  values: (type) => [jsonType, formType, multipartType].includes(type),
}

/** Maps the 413 of a body that is not empty to false. @throws any other error */
function falseWhenTooLarge(error: unknown): false {
  if (error instanceof Refusal && error.status === 413) return false
  throw error
}

async function readJson(request: Request, most: number): Promise<unknown> {
  const bytes = await readCapped(request, most)
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    throw createMalformed()
  }
}

async function readMultipart(
  request: Request,
  most: { readonly bytes: number; readonly parts: number },
): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readCapped(request, most.bytes)
  assertFewParts(bytes, type, most.parts)
  const form = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw createMalformed()
    })
  return singles(form)
}

/** Counts the parts before parsing: a million empty parts fit into some megabytes. @throws Refusal 413 */
function assertFewParts(bytes: Uint8Array<ArrayBuffer>, type: string, most: number): void {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const marker = Buffer.from(`--${quoted ?? bare ?? ''}`)
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = -1
  for (let seen = 0; (at = whole.indexOf(marker, at + 1)) !== -1; seen += 1)
    if (seen > most) throw new Refusal(413, { key: 'problem.tooLarge' })
}

/** @throws Refusal 400 for bytes that are not UTF-8: they would become replacement characters */
async function readForm(request: Request, max: number): Promise<Record<string, unknown>> {
  const bytes = await readCapped(request, max)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    for (const [escaped] of text.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(escaped)
    return singles(new URLSearchParams(text))
  } catch (error) {
    throw error instanceof TypeError || error instanceof URIError ? createMalformed() : error
  }
}
