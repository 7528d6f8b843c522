import type { ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { notFound } from '../../platform/refusal.ts'
import { issueProof, proofTokenLife } from '../fresh-proof.ts'
import { familyOf } from '../own-sessions.ts'
import { checkPassword } from '../sign-in.ts'
import { checkAtDirectory, directoryOf } from '../sso/directory/sign-in.ts'
import { readUser } from '../subject.ts'

export const reauthenticationHandlers: ServerHandlers['reauthentication'] = {
  prove: async ({ body }, context) => {
    const { tenant, userId } = context.subject
    const user = await readUser(context, tenant, userId)
    if (user === undefined) throw notFound()
    const family = await familyOf(context)
    const directory = await directoryOf(context, family)
    if (directory === undefined) await checkPassword(context, user, body)
    else
      await checkAtDirectory(context, directory.provider, user, { ...body, name: directory.name })
    const token = await transact(context.database.kysely, async (trx) => {
      const issued = await issueProof(trx, context, { tenant, family })
      context.audit(
        {
          action: 'session.reauthenticate',
          result: 'ok',
          detail: { by: directory?.provider.kind ?? 'password' },
        },
        trx,
      )
      return issued
    })
    return { token, expiresIn: proofTokenLife / 1000 }
  },
}
