// The rows of copies of cases: one for each person and case.
import type { Context } from '../../model/context.ts'
import type { FlowDatabase } from './cases.ts'

/** Somebody who has a copy gets it anew, unread. */
export async function insertCopies(
  trx: FlowDatabase,
  { subject: { tenant }, newId, now }: Context,
  caseId: string,
  receivers: readonly string[],
  { by, note }: { readonly by: string | null; readonly note: string | null },
): Promise<void> {
  if (receivers.length === 0) return
  await trx
    .insertInto('sys.flow_copy')
    .values(
      [...new Set(receivers)].map((user_id) => ({
        tenant_id: tenant,
        id: newId(),
        case_id: caseId,
        user_id,
        by_id: by,
        note,
        at: now(),
        read_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'case_id', 'user_id']).doUpdateSet((e) => ({
        by_id: e.ref('excluded.by_id'),
        note: e.ref('excluded.note'),
        at: e.ref('excluded.at'),
        read_at: null,
      })),
    )
    .execute()
}
