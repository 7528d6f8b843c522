// Flows are proved by whoever compiles them; here their findings become those of the definition
// (docs/rules/contract.md#flows).
import { messageText } from '@jiaowu/api/texts/index'
import type { FlowFinding } from './context.ts'
import { type Check, error, type Fault, type Subject, warning } from './finding.ts'

export const flowChecks: readonly Check[] = [
  error('entity.E121', (subject) => listFlowFaults(subject, 'error')),
  warning('entity.E122', (subject) => listFlowFaults(subject, 'warning')),
]

function listFlowFaults(
  { definition, context: { flowFindings } }: Subject,
  severity: FlowFinding['severity'],
): Fault[] {
  if (flowFindings === null) return []
  return flowFindings(definition)
    .filter((flow) => flow.severity === severity)
    .map((flow) => {
      const message = { key: flow.id, params: flow.params }
      return {
        path: flow.at,
        attrName: definition.options.flow?.field ?? '',
        params: { reason: [messageText('zh-CN', message), messageText('en', message)] },
        flow,
      }
    })
}
