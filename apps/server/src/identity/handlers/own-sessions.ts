import type { ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { isId } from '../../platform/id.ts'
import { notFound } from '../../platform/refusal.ts'
import { endSessions, readFamily, readOwnSessions } from '../own-sessions.ts'

/** In place of an id: every session but the current one. */
const others = 'others'

export const ownSessionsHandlers: ServerHandlers['ownSessions'] = {
  list: (_input, context) => readOwnSessions(context),
  end: async ({ params: { id } }, context) => {
    if (id !== others && !isId(id)) throw notFound()
    const which = id === others ? { except: await readFamily(context) } : { only: id }
    const ended = await transact(context.database.kysely, async (trx) => {
      const families = await endSessions(trx, context, context.subject, 'ended', which)
      if (id !== others && families.length !== 1) throw notFound()
      for (const objectId of families)
        context.audit({ action: 'session.end', object: 'session', objectId, result: 'ok' }, trx)
      return families
    })
    return { ended }
  },
}
