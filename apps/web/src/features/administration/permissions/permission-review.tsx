import { Button, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import type { EntityAction } from '@jiaowu/api/entity/permission'
import type { FunctionPermission, PermissionChange, RolePermissions } from '@jiaowu/api/entity/role'
import type { Problem } from '@jiaowu/api/problem'
import { useText } from '../../../app/text-context.ts'
import { issueText } from '../../../ui/issue-text.ts'
import { type Edited, ruleFor } from './permission-edit.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'

interface Props {
  readonly role: RolePermissions
  readonly edited: Edited
  readonly change: PermissionChange
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Lists in words what a save would change, before it is saved. */
export function PermissionReview({
  role,
  edited,
  change,
  isActing,
  problem,
  onSave,
  onClose,
}: Props) {
  const { t, locale } = useText()
  const names = new Map(
    role.groups.flatMap(({ entities }) => entities.map(({ tag, name }) => [tag, name] as const)),
  )
  const nameOf = (code: string): string => {
    const [, tag = '', action] = /^entity:([^:]+):(view|add|update|delete|export)$/.exec(code) ?? []
    if (action !== undefined)
      return `${names.get(tag) ?? tag} · ${t(`role.action.${action as EntityAction}`)}`
    return role.functions.includes(code) ? t(`role.fn.${code as FunctionPermission}`) : code
  }
  const ruleText = (tag: string): string => {
    const rule = ruleFor(edited, tag)
    const narrowed = Object.keys(rule.overrides).length
    const parts = [names.get(tag) ?? tag, t(`role.scope.${rule.scope}`)]
    if (narrowed > 0) parts.push(t('role.narrowed', { n: narrowed }))
    return parts.join(' · ')
  }
  const part = (
    title: string,
    lines: readonly string[],
    intent: 'success' | 'danger' | 'primary',
  ) =>
    lines.length === 0 ? null : (
      <section>
        <h4>
          {title}{' '}
          <Tag minimal round intent={intent}>
            {lines.length}
          </Tag>
        </h4>
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('role.review')} className="jw-review">
      <DialogBody>
        {problem === null ? null : (
          <p className="jw-fault" role="alert">
            {issueText(locale, problem)}
          </p>
        )}
        <p className="jw-muted">{t('role.reviewText')}</p>
        {part(t('role.added'), change.added.map(nameOf), 'success')}
        {part(t('role.removed'), change.removed.map(nameOf), 'danger')}
        {part(t('role.rules'), change.rules.map(ruleText), 'primary')}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <CancelButton onClick={onClose} />
            <Button intent="primary" loading={isActing} text={t('common.save')} onClick={onSave} />
          </>
        }
      />
    </Dialog>
  )
}
