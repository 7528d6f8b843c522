import type { Flow } from '@jiaowu/api/entity/definition/flow'
import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type Json<T> = ColumnType<T, string, string>

/** A flow as some cases began with it; never changed. */
interface FlowRevision {
  tenant_id: string
  id: string
  tag: string
  /** SHA-256 of the flow. */
  digest: string
  flow: Json<Flow>
  create_time: ColumnType<string, undefined, never>
}
/** The case of a row. */
interface FlowCaseRow {
  tenant_id: string
  id: string
  tag: string
  /** `schema.table` */
  table_name: string
  row_id: string
  applicant_id: string | null
  revision_id: string
  /** Key of the outermost state. */
  state: string
  is_done: boolean
  /** A `FlowCase` of the machine. */
  facts: Json<unknown>
  version: number
  since: Moment
  started_at: Moment
}
interface FlowDecisionRow {
  tenant_id: string
  id: string
  case_id: string
  at: Moment
  /** Null for a timer. */
  user_id: string | null
  event: string
  /** Path of the state of the event. */
  path: string
  from_state: string
  to_state: string
  note: string | null
  /** attrNames that were filled in. */
  fields: Json<readonly string[]>
  /** The person in whose name a substitute acted. */
  for_id: string | null
  /** The person, or the role, that was given the task or added. */
  to_id: string | null
  to_role: string | null
}
/** A substitute for some days. */
interface FlowDelegationRow {
  tenant_id: string
  id: string
  user_id: string
  substitute_id: string
  /** `YYYY-MM-DD`, both included. */
  starts_on: string
  ends_on: string
  /** Entities; empty for all. */
  tags: Json<readonly string[]>
  note: string | null
  create_time: Moment
  ended_at: ColumnType<string | null, string | Date | null, string | Date | null>
}
/** A copy of a case for somebody to read. */
interface FlowCopyRow {
  tenant_id: string
  id: string
  case_id: string
  user_id: string
  /** Null for a flow that sent it by itself. */
  by_id: string | null
  note: string | null
  at: Moment
  read_at: ColumnType<string | null, string | Date | null, string | Date | null>
}
/** People that a case waits for, by one of their properties. */
interface FlowTodoRow {
  tenant_id: string
  case_id: string
  no: number
  event: string
  path: string
  role: string | null
  org_id: string | null
  user_id: string | null
  person_tag: string | null
  person_id: string | null
  since: Moment
}

/** A timer that runs. */
interface FlowTimerRow {
  tenant_id: string
  id: string
  case_id: string
  /** Type of the machine's event: `path@48 h`. */
  event: string
  next_at: Moment
  leased_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>
  attempts: Generated<number>
  done_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>
  failure: string | null
}
/** The last proof of a school's flows, and the task to prove them again. */
interface FlowProofRow {
  tenant_id: string
  /** That of the school. */
  id: string
  findings: ColumnType<readonly KnownFinding[], string | undefined, string>
  next_at: Moment
  leased_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>
  attempts: Generated<number>
  done_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>
  failure: string | null
}
/** Identifies a finding: the flow, the fault and the place in the definition. */
export interface KnownFinding {
  readonly tag: string
  readonly id: string
  readonly at: string
}
/** A day of the school's calendar that differs from the week. */
interface CalendarDayRow {
  tenant_id: string
  id: string
  /** `YYYY-MM-DD` */
  day: string
  name: string
  /** '1': worked. */
  is_work: Generated<string>
  deleted_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>
}

export interface FlowTables {
  'sys.calendar_day': CalendarDayRow
  'sys.flow_proof': FlowProofRow
  'sys.flow_timer': FlowTimerRow
  'sys.flow_revision': FlowRevision
  'sys.flow_case': FlowCaseRow
  'sys.flow_copy': FlowCopyRow
  'sys.flow_decision': FlowDecisionRow
  'sys.flow_delegation': FlowDelegationRow
  'sys.flow_todo': FlowTodoRow
}
