import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { escapeHtml } from '@jiaowu/api/escape-html'
import type { NotArranged } from './arranged.ts'
import { endpointNames, type Exchange } from './wire/wire.ts'

/** The result for one call of the contract. */
export interface EndpointReport {
  readonly endpoint: string
  readonly method: string
  readonly path: string
  /** Number of requests, and of successful ones; the rest were refused. */
  readonly calls: number
  readonly answered: number
  /** `200`, `409/40900` … */
  readonly statuses: readonly string[]
  /** Requests that kept to the contract; the others were wrong on purpose. */
  readonly sentWell: number
  /** Breaches of the contract, without repetition. */
  readonly faults: readonly string[]
}
/** The result for a server. */
export interface Conformance {
  readonly against: string
  readonly endpoints: readonly EndpointReport[]
  readonly notArranged: readonly NotArranged[]
  /** Findings of the sweep for rights and of the tour through calls that no path needs. */
  readonly findings: readonly string[]
  /** Records that could not be deleted. */
  readonly left: readonly string[]
}

/** Every call of the contract, requested or not. */
export function endpointReports(exchanges: readonly Exchange[]): readonly EndpointReport[] {
  const by = Map.groupBy(exchanges, ({ endpoint }) => endpoint)
  return endpointNames.map((endpoint): EndpointReport => {
    const all = by.get(endpoint) ?? [],
      { method, path } = findEndpoint(endpoint)
    return {
      endpoint,
      method,
      path,
      calls: all.length,
      answered: all.filter(({ status }) => status < 400).length,
      sentWell: all.filter(({ sentWell }) => sentWell).length,
      statuses: [
        ...new Set(
          all.map(({ status, code }) =>
            code === null || code === status ? `${status}` : `${status}/${code}`,
          ),
        ),
      ].sort(),
      faults: [...new Set(all.flatMap(({ faults }) => faults))],
    }
  })
}

function findEndpoint(name: string): Endpoint {
  const [group = '', call = ''] = name.split('.')
  return (contract as unknown as Record<string, Record<string, Endpoint>>)[group]?.[
    call
  ] as Endpoint
}

/** Faults that belong to no path. */
export function conformanceFailures({ endpoints, findings, left }: Conformance): readonly string[] {
  return [
    ...endpoints.flatMap(({ endpoint, faults }) => faults.map((fault) => `${endpoint}: ${fault}`)),
    ...findings,
    ...left,
  ]
}

/** The section of the report about the contract. */
export function conformanceHtml(conformance: Conformance): string {
  const { against, endpoints, notArranged, findings, left } = conformance,
    { all, answered, refused, never } = countEndpoints(endpoints)
  const said = ({ calls, faults }: EndpointReport) =>
    calls === 0
      ? '<td class="short">not asked</td>'
      : faults.length === 0
        ? '<td class="ok">valid</td>'
        : `<td class="bad">${faults.map(escapeHtml).join('<br>')}</td>`
  const rows = endpoints.map(
    (each) =>
      `<tr><td>${each.endpoint}<br><small>${each.method} ${escapeHtml(each.path)}</small></td><td>${each.calls}</td><td>${each.answered}</td><td>${each.sentWell}</td><td>${escapeHtml(each.statuses.join(', '))}</td>${said(each)}</tr>`,
  )
  const list = (items: readonly string[]) =>
    items.length === 0
      ? '<p class="ok">None.</p>'
      : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
  return `<h2 id="conformance">Conformance of ${escapeHtml(against)}</h2><p>${answered} of ${all} calls of the contract were answered, ${refused} more refused and nothing else, ${never.length} not asked.</p><details><summary>Call by call</summary><div class="wide"><table><tr><th>call</th><th>asked</th><th>answered</th><th>sent as agreed</th><th>statuses</th><th>replies</th></tr>${rows.join('')}</table></div></details><h3>Findings outside of paths</h3>${list(findings)}<h3>Left on the server</h3>${list(left)}<h3>Not arranged: ${notArranged.length}</h3><details><summary>Endings of calls that cannot be brought about from outside</summary><ul>${notArranged.map(({ machine, port, outcome, why }) => `<li><code>${machine} ${port} → ${outcome}</code>: ${escapeHtml(why)}</li>`).join('')}</ul></details>`
}

function countEndpoints(endpoints: readonly EndpointReport[]) {
  return {
    all: endpoints.length,
    answered: endpoints.filter(({ answered }) => answered > 0).length,
    refused: endpoints.filter(({ calls, answered }) => calls > 0 && answered === 0).length,
    never: endpoints.filter(({ calls }) => calls === 0),
  }
}

/** For CI: one case per call; calls that were not requested are skipped. */
export function conformanceJunit({ endpoints, findings, left }: Conformance): string[] {
  const caseOf = (name: string, faults: readonly string[], isAsked = true) => {
    const failures = faults.map((fault) => `<failure message="${escapeHtml(fault)}"/>`).join('')
    const said = isAsked ? failures : '<skipped message="not asked"/>'
    return `  <testcase classname="conformance" name="${name}" time="0">${said}</testcase>`
  }
  return [
    ...endpoints.map(({ endpoint, calls, faults }) => caseOf(endpoint, faults, calls > 0)),
    caseOf('rights and calls no path needs', findings),
    caseOf('cleaned up', left),
  ]
}

/** A summary for the terminal. */
export function conformanceText(conformance: Conformance): string {
  const { all, answered, refused, never } = countEndpoints(conformance.endpoints)
  const byReason = [...Map.groupBy(conformance.notArranged, ({ why }) => why)].map(
    ([why, endings]) => `  ${endings.length}: ${why}`,
  )
  return [
    `${conformance.against}: ${answered} of ${all} calls answered, ${refused} refused only, ${never.length} not asked${never.length === 0 ? '' : ` (${never.map(({ endpoint }) => endpoint).join(', ')})`}`,
    `${conformance.notArranged.length} endings not arranged:`,
    ...byReason,
    ...conformanceFailures(conformance).map((line) => `✗ ${line}`),
  ].join('\n')
}
