import type { Endpoint } from '@jiaowu/api/endpoint'
import * as v from 'valibot'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { singles } from './body.ts'

const noQuery = v.strictObject({ ts: v.optional(v.string()) })

/** @throws Invalid with every unknown, repeated, missing and ill-typed key (docs/rules/contract.md#envelope) */
export function parseQuery(endpoint: Endpoint, url: string): unknown {
  const hasQuery = url.includes('?')
  if (!hasQuery && endpoint.query === undefined) return undefined
  const query = hasQuery ? singles(new URL(url).searchParams) : {}
  if (endpoint.query === undefined) {
    parse(noQuery, query)
    return undefined
  }
  const { ts: _ts, ...rest } = query
  return parse(endpoint.query, rest)
}

function parse(schema: v.GenericSchema<unknown, unknown>, value: unknown): unknown {
  const result = v.safeParse(schema, value)
  if (!result.success) throw new Invalid(result.issues.map(issueToFault))
  return result.output
}

function issueToFault(issue: v.BaseIssue<unknown>): Fault {
  const path = (issue.path ?? []).map(({ key }) => String(key)).join('.')
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return { path, rule: 'unknownField', message: { key: 'rule.unknownField' } }
  const missing = issue.received === 'undefined'
  return {
    path,
    rule: missing ? 'required' : 'value',
    message: { key: missing ? 'rule.required' : 'rule.value' },
  }
}

export function parseBody(endpoint: Endpoint, body: unknown): unknown {
  return endpoint.body === undefined ? undefined : parse(endpoint.body, body)
}
