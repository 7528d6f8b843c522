// The decisions of a case, and how it was handed on (docs/rules/contract.md#flows).
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import { readEventKey } from '@jiaowu/machines/flow/parts'
import type { Context } from '../../model/context.ts'
import { localTime } from '../../model/fields/local-time.ts'
import type { StoredCase } from './cases.ts'
import { loadRoleNames, loadUserNames, nameEventType } from './names.ts'

type LogLine = FlowStateAnswer['log'][number]
/** A line with the type of its event, and the path of its state. */
interface PlacedLine {
  readonly line: LogLine
  readonly type: string
  readonly path: string
}

/** Decisions and hand-overs of the case, oldest first. */
export async function readLog(
  context: Context,
  { id, flow, startedAt }: StoredCase,
): Promise<readonly PlacedLine[]> {
  const rows = await context.database.kysely
    .selectFrom('sys.flow_decision')
    .selectAll()
    .where('tenant_id', '=', context.subject.tenant)
    .where('case_id', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  const names = await loadUserNames(
    context,
    rows.flatMap(({ user_id, for_id, to_id }) =>
      [user_id, for_id, to_id].filter((each) => each !== null),
    ),
  )
  let entered = Date.parse(startedAt)
  const countSeconds = ({ at, from_state, to_state }: (typeof rows)[number]) => {
    const now = Date.parse(at)
    const seconds = Math.max(0, Math.round((now - entered) / 1000))
    if (from_state !== to_state) entered = now
    return seconds
  }
  const roles = await loadRoleNames(
    context,
    rows.flatMap(({ to_role }) => to_role ?? []),
  )
  return rows.map((row) => ({
    type: row.event,
    path: row.path,
    line: {
      at: localTime(new Date(row.at)),
      seconds: countSeconds(row),
      by:
        row.user_id === null
          ? null
          : { id: row.user_id, name: names.get(row.user_id) ?? row.user_id },
      ...(row.for_id !== null && {
        for: { id: row.for_id, name: names.get(row.for_id) ?? row.for_id },
      }),
      ...(row.to_id !== null && { whom: names.get(row.to_id) ?? row.to_id }),
      ...(row.to_role !== null && { whom: roles.get(row.to_role) ?? row.to_role }),
      event: readEventKey(row.event),
      name: nameEventType(context, flow, row.event),
      from: row.from_state,
      to: row.to_state,
      note: row.note,
      fields: [...row.fields],
    },
  }))
}
