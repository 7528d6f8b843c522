// Counters of the process for /metrics. The registry of each server takes them up (health.ts).
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Log } from './database/log.ts'
import { findTrace } from './requests/trace.ts'

const registers: Registry[] = []

const refusals = new Counter({
  name: 'jiaowu_refusals_total',
  help: 'Refused calls by status and the key of their text; `fault` is an unexpected failure.',
  labelNames: ['status', 'why'],
  registers,
})
const auditLines = new Counter({
  name: 'jiaowu_audit_lines_total',
  help: 'Lines for the audit log by action and result: ok, denied, failed.',
  labelNames: ['action', 'result'],
  registers,
})
const signIns = new Counter({
  name: 'jiaowu_sign_ins_total',
  help: 'Sign-ins of staff and of students by result: ok, denied, failed.',
  labelNames: ['kind', 'result'],
  registers,
})
const jobRuns = new Counter({
  name: 'jiaowu_job_runs_total',
  help: 'Runs of jobs by kind and end: ended, suspended, lost, or fault, which no user has caused.',
  labelNames: ['kind', 'end'],
  registers,
})
const statementSeconds = new Histogram({
  name: 'jiaowu_statement_duration_seconds',
  help: 'Time of statements to the database, without the wait for a connection.',
  buckets: [0.005, 0.05, 0.25, 1, 5, 30],
  registers,
})
const slowStatements = new Counter({
  name: 'jiaowu_slow_statements_total',
  help: 'Statements of more than a second; the log has each.',
  registers,
})
const backgroundRuns = new Counter({
  name: 'jiaowu_background_runs_total',
  help: 'Runs of housekeeping and of the nightly backup by end: ok, failed.',
  labelNames: ['work', 'end'],
  registers,
})
const backgroundAt = new Gauge({
  name: 'jiaowu_background_timestamp_seconds',
  help: 'When housekeeping or the nightly backup last ended well in this process.',
  labelNames: ['work'],
  registers,
})

const limitsNear = new Counter({
  name: 'jiaowu_limit_near_total',
  help: 'Windows of a limit of which 80 % was used, by limit.',
  labelNames: ['limit'],
  registers,
})
const limitsReached = new Counter({
  name: 'jiaowu_limit_reached_total',
  help: 'Calls that a limit refused, by limit.',
  labelNames: ['limit'],
  registers,
})

/** Registered with the registry of each server. */
export const counters = [
  refusals,
  auditLines,
  signIns,
  jobRuns,
  statementSeconds,
  slowStatements,
  limitsNear,
  limitsReached,
  backgroundRuns,
  backgroundAt,
] as const

export function countLimit(limit: string, how: 'near' | 'reached'): void {
  const counter = how === 'near' ? limitsNear : limitsReached
  counter.inc({ limit })
}

export function countRefusal(status: number, why: string): void {
  refusals.inc({ status: String(status), why })
}

const signInActions: ReadonlyMap<string, string> = new Map([
  ['session.signIn', 'staff'],
  ['student.signIn', 'student'],
])

export function countAuditLine({
  action,
  result,
}: {
  readonly action: string
  readonly result: string
}): void {
  auditLines.inc({ action, result })
  const kind = signInActions.get(action)
  if (kind !== undefined) signIns.inc({ kind, result })
}

export function countJobRun(kind: string, end: 'ended' | 'suspended' | 'lost' | 'fault'): void {
  jobRuns.inc({ kind, end })
}

export function countBackgroundRun(work: 'housekeeping' | 'backup', end: 'ok' | 'failed'): void {
  backgroundRuns.inc({ work, end })
  if (end === 'ok') backgroundAt.set({ work }, Date.now() / 1000)
}

const slowMs = 1_000
const shownCharacters = 2_000

/**
 * Measures a statement. The log has the text of a slow one of a call or a job, in which values are numbered, never
 * written out. Commands are slow by nature.
 */
export function noteStatement(log: Log, statement: string, milliseconds: number): void {
  statementSeconds.observe(milliseconds / 1000)
  if (milliseconds < slowMs) return
  slowStatements.inc()
  if (findTrace() === undefined) return
  const shown = statement.replace(/\s+/g, ' ').slice(0, shownCharacters)
  log.warn({ ms: Math.round(milliseconds), statement: shown }, 'a statement was slow')
}
