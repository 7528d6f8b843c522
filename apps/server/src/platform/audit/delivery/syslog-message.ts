import { hostname } from 'node:os'
import type { AuditRow } from '../line.ts'

/** RFC 5424 §6.2.1: 13, log audit. */
const facility = 13
const severities: Readonly<Record<string, number>> = { ok: 6, denied: 4, failed: 4 }
/**
 * The id of the structured data; the number is the one that RFC 5612 reserves for those without
 * their own.
 */
const element = 'audit@32473'

/**
 * An audit line as RFC 5424 says: what one searches for as structured data, and the whole line as JSON, from
 * which its hash can be checked.
 */
export function syslogMessage(line: AuditRow, host = hostname()): string {
  const priority = facility * 8 + (severities[line.result] ?? 5)
  const params = {
    school: line.tenant_id,
    number: line.number,
    account: line.account,
    action: line.action,
    object: line.object,
    objectId: line.object_id,
    result: line.result,
    ip: line.ip,
    traceId: line.trace_id,
  }
  const data = Object.entries(params)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ` ${name}="${escapeSyslog(value ?? '')}"`)
    .join('')
  const header = [
    `<${priority}>1`,
    new Date(line.at).toISOString(),
    printable(host, 255),
    'jiaowu',
    '-',
    printable(line.action, 32),
  ]
  // The mark says that the text is UTF-8 (§6.4).
  return `${header.join(' ')} [${element}${data}] \uFEFF${JSON.stringify(line)}`
}

/** §6: printable ASCII without blanks; `-` for nothing. */
function printable(text: string, most: number): string {
  return text.replace(/[^!-~]/g, '').slice(0, most) || '-'
}

/** §6.3.3. Control characters, which a receiver may take for the end of a message, become blanks. */
function escapeSyslog(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').replace(/["\\\]]/g, String.raw`\$&`)
}
