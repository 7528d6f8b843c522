import type { DefinitionFinding } from '@jiaowu/api/entity/definition/stored'
import { messageText } from '@jiaowu/api/texts/index'
import type { Locale } from '@jiaowu/api/locale'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { proveDefinition } from '@jiaowu/machines/flow/prove-definition'
import { useDeferredValue, useMemo } from 'react'
import { useText } from '../../../app/text-context.ts'

/** A finding about the flow in the user's language. */
export interface FlowReport {
  /** Identifies it among the findings of a flow. */
  readonly key: string
  readonly severity: 'error' | 'warning'
  readonly at: string
  readonly msg: string
  readonly path: readonly { readonly who: string; readonly event: string }[]
  readonly states: readonly string[]
}

/** Findings that need the school's roles, people, dictionaries and other entities, which only the server knows. */
const serverIds: ReadonlySet<string> = new Set([
  'flow.fault.absent',
  'flow.fault.noItem',
  'flow.fault.nobody',
  'flow.fault.relation',
  'flow.fault.role',
  'flow.fault.set',
])

/** Proves the flow as it is edited, with those findings of the last check that the server alone can have. */
export function useFlowFindings(
  draft: Draft,
  checked: readonly DefinitionFinding[],
): readonly FlowReport[] {
  const { locale } = useText()
  const proven = useDeferredValue(draft)
  const own = useMemo(() => proveDraft(proven, locale), [proven, locale])
  return useMemo(() => mergeFindings(own, checked), [own, checked])
}

function proveDraft(draft: Draft, locale: Locale): readonly FlowReport[] {
  const side = locale === 'en' ? 1 : 0
  return proveDefinition(draft).map(({ id, severity, at, path, states, params }) => ({
    key: `${id} ${at} ${severity}`,
    severity,
    at,
    msg: messageText(locale, { key: id, params }),
    path: path.map(({ who, event }) => ({ who: who[side], event: event[side] })),
    states,
  }))
}

export function mergeFindings(
  own: readonly FlowReport[],
  checked: readonly DefinitionFinding[],
): readonly FlowReport[] {
  const known = new Set(own.map(({ key }) => key))
  const more = checked.flatMap(({ flow, severity, path: at, msg }): FlowReport[] => {
    if (flow === undefined || !serverIds.has(flow.id)) return []
    const key = `${flow.id} ${at} ${severity}`
    return known.has(key) ? [] : [{ key, severity, at, msg, path: flow.path, states: flow.states }]
  })
  return [...own, ...more].toSorted(
    (a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'),
  )
}
