import { contract } from '@jiaowu/api/contract/contract'
import type { Locale } from '@jiaowu/api/locale'
import { describeCall, listCalls, pickSide } from './operation.ts'
import { type Json, refusal, SchemaNames } from './schemas.ts'
import { groupNames } from './summaries.ts'

/**
 * The version of this document, not of the program: everybody may read it
 * (docs/rules/security.md#c7).
 */
const documentVersion = '1'
const documents: Partial<Record<Locale, string>> = {}

/** The contract as OpenAPI 3.1, in a language; made once. */
export function openApi(locale: Locale): string {
  documents[locale] ??= writeDocument(locale)
  return documents[locale]
}

function writeDocument(locale: Locale): string {
  const names = new SchemaNames()
  return JSON.stringify({
    ...describeService(locale),
    tags: Object.keys(contract).map((name) => describeTag(name, locale)),
    paths: describePaths(names, locale),
    components: describeComponents(names),
  })
}

/** The head of a description. */
export function describeService(locale: Locale): Json {
  const isEnglish = locale === 'en'
  return {
    openapi: '3.1.0',
    info: {
      title: 'Jiaowu 教务',
      version: documentVersion,
      description: isEnglish
        ? 'Calls of the console for teaching administration. Answers are `{ success, code, msg, data, traceId }`.'
        : '教务系统的接口。应答为 `{ success, code, msg, data, traceId }`。',
      contact: { name: 'Jiaowu' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: isEnglish ? 'This server.' : '本服务器。' }],
    security: [{ session: [] }],
  }
}

export function describeComponents({ components }: SchemaNames): Json {
  return {
    securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
    schemas: { Refusal: refusal, ...components },
  }
}

function describeTag(name: string, locale: Locale): Json {
  return { name, description: groupNames[name as keyof typeof groupNames][pickSide(locale)] }
}

function describePaths(names: SchemaNames, locale: Locale): Json {
  const found: Record<string, Record<string, Json>> = {}
  const keys = new Map<string, string>()
  for (const { name, endpoint } of listCalls()) {
    const shape = endpoint.path.replace(/\{\w+\}/g, '{}')
    const path = keys.get(shape) ?? endpoint.path
    keys.set(shape, path)
    ;(found[path] ??= {})[endpoint.method.toLowerCase()] = describeCall(
      name,
      withParameters(endpoint, path),
      names,
      locale,
    )
  }
  return found
}

/** A path is written once: calls that name its parameters otherwise take the names of the first. */
const withParameters = <Call extends { readonly path: string }>(
  call: Call,
  path: string,
): Call => ({
  ...call,
  path,
})
