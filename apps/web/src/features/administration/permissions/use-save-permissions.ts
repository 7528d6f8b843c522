import { isSameRule, type RolePermissions } from '@jiaowu/api/entity/role'
import { type Problem, staleCode } from '@jiaowu/api/problem'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useAction } from '../../../ui/resource/use-resource.ts'
import { pickEdited, type Edited, rebaseEdits } from './permission-edit.ts'

/**
 * Saves the edited permissions. When another user saved first, the user may take that version as
 * the new base and keep the own changes on top of it. `onSaved` gets the role as it is on the
 * server and the edit state to go on with.
 */
export function useSavePermissions(
  role: RolePermissions,
  edited: Edited,
  onSaved: (role: RolePermissions, edited: Edited) => void,
) {
  const { t } = useText()
  const { api, reloadProfile } = useApi()
  const { toast, confirm } = useNotice()
  const offerRebase = async (problem: Problem) => {
    if (problem.code !== staleCode) return
    const isTaken = await confirm({
      title: t('role.staleTitle'),
      text: t('role.staleText'),
      confirmText: t('role.staleTake'),
    })
    if (!isTaken) return
    const current = problem.data as RolePermissions
    onSaved(current, rebaseEdits(role, edited, current))
  }
  const { start, ...save } = useAction(
    () =>
      api.role.savePermissions({
        params: { id: role.id },
        body: {
          version: role.version,
          codes: [...edited.codes],
          rules: edited.rules.filter((rule) => !isSameRule(rule, undefined)),
        },
      }),
    {
      onDone: (saved: RolePermissions) => {
        onSaved(saved, pickEdited(saved))
        toast('success', t('role.saved'))
        reloadProfile()
      },
      onFailed: (problem) => {
        void offerRebase(problem)
      },
    },
  )
  return { ...save, start: () => start() }
}
